// Page for an unknown path.
import { usePageTitle } from '../hooks/use-page-title.js';
import { Icon } from '../components/icon.js';

export default function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <div className="page">
      <div className="empty">
        <Icon name="not-found" size={36} />
        <h1>Page not found</h1>
        <p>This page doesn’t exist. Check the URL, or go to one of these pages.</p>
        <div className="button-row">
          <a className="button primary" href="/docs">
            API reference
          </a>
          <a className="button" href="/">
            Front page
          </a>
        </div>
      </div>
    </div>
  );
}

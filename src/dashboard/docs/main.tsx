// Entry script of /docs: the reference, below the header that all pages share.
import '../styles/base.css';
import '../styles/header.css';
import '../styles/parts.css';
import './docs.css';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { restore } from '../api/session.js';
import { Header } from '../components/header.js';
import { loadDocument } from './api-document.js';
import { Reference } from './reference.js';

const element = document.querySelector('#root');
if (!element) throw new Error('The page has no #root.');
const root = createRoot(element);

function show(content: ReactNode): void {
  root.render(
    <>
      <Header path="/docs" navigate={(path) => location.assign(path)} />
      {content}
    </>,
  );
}

// Until the reference is loaded, the page shows the introduction that docs.html contains.
void restore(false).catch(() => undefined);
try {
  show(<Reference api={await loadDocument()} />);
} catch (error) {
  show(<Notice text="The reference could not be loaded. Reload the page to try again." />);
  throw error;
}

function Notice({ text }: { readonly text: string }) {
  return (
    <main id="main" tabIndex={-1}>
      <p className="loading" role="status">
        {text}
      </p>
    </main>
  );
}

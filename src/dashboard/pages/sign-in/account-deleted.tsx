// The page after an account was deleted.
import { Redirect } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { settings } from '../../settings.js';
import { FormPage } from './form-page.js';

/** State of the page's history entry. Only a deletion on this site sets it. */
export interface DeletedAccount {
  readonly deletedEmail: string;
}

export default function AccountDeletedPage() {
  const state = useHistoryState<Partial<DeletedAccount> | null>();
  const email = state?.deletedEmail;
  if (email === undefined) return <Redirect to="/" replace />;
  return (
    <FormPage title="Your account is deleted" lead={`A mail that confirms it is on its way to ${email}.`}>
      <div className="stack">
        <ul className="plain-list">
          <li>Its keys and sessions have stopped working, and its subscription, if it had one, has ended.</li>
          <li>Its data is removed. Records of sign-ins and other security events follow after 400 days.</li>
          <li>The address can be used for another account at any time.</li>
        </ul>
        <div className="button-row">
          <a className="button primary" href="/">
            Go to the front page
          </a>
          {settings.registration !== 'closed' && (
            <a className="button" href="/register">
              Create another account
            </a>
          )}
        </div>
      </div>
    </FormPage>
  );
}

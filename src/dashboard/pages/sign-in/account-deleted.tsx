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
    <FormPage
      title="Your account is deleted"
      lead={
        settings.mail === 'on' ? `We sent a confirmation to ${email}.` : `The account of ${email} no longer exists.`
      }
    >
      <div className="stack">
        <ul className="plain-list">
          <li>Its keys and sessions no longer work.</li>
          {settings.billing === 'on' && <li>Its subscription is canceled.</li>}
          <li>Its data is deleted. Records of sign-ins and other security events are deleted after 400 days.</li>
          <li>You can use the address for a new account.</li>
        </ul>
        <div className="button-row">
          <a className="button primary" href="/">
            Go to the front page
          </a>
          {settings.registration !== 'closed' && (
            <a className="button" href="/register">
              Create a new account
            </a>
          )}
        </div>
      </div>
    </FormPage>
  );
}

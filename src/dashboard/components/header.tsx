// The header of all pages: navigation, search, theme and account.
import { useState } from 'react';
import { ACCOUNT_PAGES } from '../account-pages.js';
import { mayBeSignedIn, signOut, useSession } from '../api/session.js';
import blazon from '../blazon.svg';
import { settings } from '../settings.js';
import { chooseTheme, useTheme } from '../theme.js';
import { Icon } from './icon.js';
import { moveFocus } from './menu.js';
import { QuickSearch } from './quick-search.js';

interface Props {
  /** Path of this page. */
  readonly path: string;
  /** Opens a page, if possible without loading a document. */
  readonly navigate: (path: string) => void;
  readonly email?: string | undefined;
}

/** The page's content must have the id `main`. */
export function Header({ path, navigate, email }: Props) {
  const session = useSession();
  const isSignedIn = session === 'unknown' ? mayBeSignedIn() : session !== 'signed-out';
  const showsCatalog = settings.gallery === 'on' || isSignedIn;
  const links = [
    ...(isSignedIn ? [['/overview', 'Dashboard'] as const] : []),
    ...(showsCatalog ? [['/catalog', 'Catalog'] as const] : []),
    ['/docs/guides', 'Guides'] as const,
    ['/docs', 'API reference'] as const,
  ];
  return (
    <header className="header">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="header-inner">
        <a className="brand" href="/" aria-label="Blazon, front page">
          <img src={blazon} width={28} height={28} alt="" />
          <span className="brand-name">Blazon</span>
        </a>
        <nav aria-label="Main" className="wide">
          {links.map(([href, text]) => (
            <a key={href} className="nav-link" href={href} aria-current={isCurrent(path, href) ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div className="header-end">
          {showsCatalog && path !== '/catalog' && <QuickSearch navigate={navigate} />}
          <ThemeSwitch />
          {isSignedIn ? <AccountMenu email={email} /> : <SignInLinks />}
          <NarrowMenu links={links} isSignedIn={isSignedIn} />
        </div>
      </div>
    </header>
  );
}

/** Returns true if the link leads to the current page. The link to /overview is current on all pages of the account. */
function isCurrent(path: string, href: string): boolean {
  if (href === '/docs') return path === href;
  if (href !== '/overview') return path === href || path.startsWith(`${href}/`);
  return ACCOUNT_PAGES.some(([address]) => address === path);
}

function SignInLinks() {
  return (
    <>
      <a className="nav-link wide" href="/sign-in">
        Sign in
      </a>
      {settings.registration !== 'closed' && (
        <a className="header-action wide" href="/register">
          Get an API key
        </a>
      )}
    </>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Switch to the ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={`${other}-theme`} size={18} />
    </button>
  );
}

function AccountMenu({ email }: Pick<Props, 'email'>) {
  return (
    <>
      <button type="button" className="icon-button wide" aria-label="Account menu" popoverTarget="account-menu">
        <Icon name="account" size={20} />
      </button>
      <div id="account-menu" className="popover-menu" popover="auto" onKeyDown={moveFocus}>
        {email !== undefined && <p className="who">{email}</p>}
        <a href="/account">Account</a>
        <a href="/keys">Keys</a>
        <a href="/sessions">Sessions</a>
        <hr />
        <SignOutButton />
      </div>
    </>
  );
}

function SignOutButton() {
  const [hasFailed, setFailed] = useState(false);
  const leave = (): void => {
    setFailed(false);
    void signOut().catch(() => setFailed(true));
  };
  return (
    <>
      <button type="button" onClick={leave}>
        <Icon name="sign-out" size={16} /> Sign out
      </button>
      <p role="status" className="who">
        {hasFailed && 'You were not signed out, because the service could not be reached. Try again.'}
      </p>
    </>
  );
}

interface NarrowMenuProps {
  readonly links: readonly (readonly [href: string, text: string])[];
  readonly isSignedIn: boolean;
}

function NarrowMenu({ links, isSignedIn }: NarrowMenuProps) {
  return (
    <>
      <button type="button" className="icon-button only-narrow" aria-label="Menu" popoverTarget="narrow-menu">
        <Icon name="menu" size={20} />
      </button>
      <div id="narrow-menu" className="popover-menu" popover="auto" onKeyDown={moveFocus}>
        {links.map(([href, text]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
        <hr />
        {isSignedIn ? (
          <SignOutButton />
        ) : (
          <>
            <a href="/sign-in">Sign in</a>
            {settings.registration !== 'closed' && <a href="/register">Get an API key</a>}
          </>
        )}
      </div>
    </>
  );
}

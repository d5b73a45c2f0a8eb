// The pages that links in mails lead to. The token is in the part after `#`, so that no server, log or referrer sees
// it.
import type { LinkPurpose } from '../../domain/account/email-link.js';

interface Page {
  readonly title: string;
  readonly text: string;
  readonly form: (minPasswordCharacters: number) => string;
  /** Another form, for when the link is of no use. */
  readonly again?: string;
}

const PAGES: Readonly<Record<LinkPurpose, Page>> = {
  'reset-password': {
    title: 'Set another password',
    text: 'Long counts more than complicated: a sentence is easiest to remember. You will be signed out everywhere.',
    form: (minPasswordCharacters) => `<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="256" aria-describedby="rule" required>
<small id="rule">At least ${minPasswordCharacters} characters.</small>
<label class="check"><input id="show" type="checkbox"> Show it</label>
<button>Set this password</button>`,
    again: `<form id="again" hidden>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Send another link</button>
</form>
`,
  },
  'verify-email': {
    title: 'Confirm your e-mail address',
    text: 'One click, and we know that mails to this address reach you.',
    form: () => '<button>Yes, this is my address</button>',
  },
};

export function linkPage(purpose: LinkPurpose, minPasswordCharacters: number): string {
  const { title, text, form, again = '' } = PAGES[purpose];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Blazon</title>
<link rel="icon" href="/docs/blazon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/links/page.css">
</head>
<body>
<main>
<p class="brand"><img src="/docs/blazon.svg" width="28" height="28" alt=""> Blazon</p>
<h1>${title}</h1>
<p id="lead">${text}</p>
<form id="use" data-purpose="${purpose}" hidden>
${form(minPasswordCharacters)}
</form>
<p role="status" aria-live="polite"></p>
${again}<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script src="/links/page.js"></script>
</body>
</html>
`;
}

export const LINK_SCRIPT = `const find = (selector) => document.querySelector(selector);
const form = find('#use');
const again = find('#again');
const status = find('[role=status]');
const password = find('#password');
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const purpose = form.dataset.purpose;
const DONE = {
  'reset-password': ['Your password is set', 'Sign in with it.'],
  'verify-email': ['Thank you', 'Your address is confirmed.'],
};
const BAD = {
  'reset-password': 'This link was used already, or is too old.',
  'verify-email': 'This link was used already, or is too old. If you have confirmed your address before, all is well.',
};
const keyThatGoesOn = (headers) => {
  const hint = headers.get('X-Blazon-Key-Hint');
  if (!hint) return '';
  const madeAt = new Date(headers.get('X-Blazon-Key-Created-At')).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
  return ' The API key of this account goes on working: it ends in ' + hint + ' and was made on ' + madeAt
    + '. If you do not know this key, somebody else may: replace it.';
};
const say = (text, kind) => { status.textContent = text; status.className = kind; };
const finish = (title, text, kind) => {
  form.hidden = true;
  find('#lead').hidden = true;
  document.title = title + ' – Blazon';
  find('h1').textContent = title;
  say(text, kind);
};
const refuse = (text) => {
  finish('This link cannot be used', text, 'bad');
  if (!again) return;
  again.hidden = false;
  find('#email').focus();
};
/** The answer with what it says; undefined when there was none, or something else than the service answered. */
const send = async (path, body, button) => {
  button.disabled = true;
  say('One moment…', '');
  try {
    const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const text = await response.text();
    return { ok: response.ok, headers: response.headers, ...(text && JSON.parse(text)) };
  } catch {
    say('The service could not be reached. Try again.', 'bad');
  } finally {
    button.disabled = false;
  }
};

// Another link was put into the same window.
addEventListener('hashchange', () => location.reload());
find('#show')?.addEventListener('change', ({ target }) => { password.type = target.checked ? 'text' : 'password'; });
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const response = await send('/auth/' + purpose, password ? { token, newPassword: password.value } : { token }, form.querySelector('button'));
  if (!response) return;
  if (response.ok) {
    history.replaceState(null, '', location.pathname);
    const [title, text] = DONE[purpose];
    return finish(title, text + keyThatGoesOn(response.headers), 'good');
  }
  const { message, details } = response;
  if (details?.some(({ field }) => field === 'token')) return refuse(BAD[purpose]);
  say(details ? 'The password is ' + details[0].reason + '. Allowed: ' + details[0].allowed + '.' : message, 'bad');
  password?.focus();
});
again?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const response = await send('/auth/forgot-password', { email: find('#email').value }, again.querySelector('button'));
  if (!response) return;
  if (response.ok) again.hidden = true;
  say(response.message, response.ok ? 'good' : 'bad');
});

if (token) {
  form.hidden = false;
  (password ?? form.querySelector('button')).focus();
} else {
  refuse('It is not complete. Open it from the mail once more, as a whole.');
}
`;

export const LINK_CSS = `:root {
  --ink: #16181d; --quiet: #565d6b; --page: #eef0f5; --card: #fff; --line: #c5cad6; --accent: #1f3a8a; --on-accent: #fff; --good: #17683a; --bad: #a11a2c;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; line-height: 1.5;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaf0; --quiet: #a3abbb; --page: #0f1218; --card: #171b24; --line: #454d5e; --accent: #9db6ff; --on-accent: #0f1218; --good: #7fd8a4; --bad: #ff9aa6; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); }
main { width: min(26rem, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.25rem, 5vw, 2rem); }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0; font-weight: 600; }
h1 { font-size: 1.4rem; margin: 1rem 0 .25rem; }
p { color: var(--quiet); margin: .25rem 0 1rem; }
form { display: grid; gap: .6rem; }
label { font-weight: 600; }
small { color: var(--quiet); }
.check { font-weight: 400; display: flex; gap: .5rem; align-items: center; }
input:not([type=checkbox]) { font: inherit; padding: .65rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; width: 100%; }
button { font: inherit; font-weight: 600; padding: .7rem 1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=status] { margin: 1rem 0 0; min-height: 1.5rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
`;

// The script of the pages that mailed links open. The token is in the part after `#`, which no server, log or referrer
// gets.
export {};

interface Answer {
  readonly ok: boolean;
  readonly headers: Headers;
  readonly message?: string;
  readonly details?: readonly { readonly field: string; readonly reason: string; readonly allowed?: string }[];
}

const DONE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  'reset-password': ['Your password was reset', 'Sign in with your new password.'],
  'verify-email': ['E-mail address verified', 'Thank you. You can close this page.'],
};
const UNUSABLE: Readonly<Record<string, string>> = {
  'reset-password': 'It was used already, or has expired.',
  'verify-email': 'It was used already, or has expired. If you verified your address before, you need do nothing.',
};
const UNREACHABLE = 'The service could not be reached. Try again.';

const form = element('#use', HTMLFormElement);
const status = element('[role=status]', HTMLElement);
/** Of the reset page alone, as `again` is. */
const password = document.querySelector<HTMLInputElement>('#password');
const again = document.querySelector<HTMLFormElement>('#again');
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const purpose = form.dataset.purpose ?? '';

function element<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

function show(text: string, kind: '' | 'good' | 'bad'): void {
  status.textContent = text;
  status.className = kind;
}

/** Puts a result in the place of the form. */
function finish(title: string, text: string, kind: 'good' | 'bad'): void {
  form.hidden = true;
  element('#lead', HTMLElement).hidden = true;
  document.title = `${title} – Blazon`;
  element('h1', HTMLElement).textContent = title;
  show(text, kind);
}

function rejectLink(text: string): void {
  finish('This link cannot be used', text, 'bad');
  if (!again) return;
  again.hidden = false;
  element('#email', HTMLInputElement).focus();
}

/** The API key stays after a reset; it may be known to another person who registered with this address before. */
function keyThatStays(headers: Headers): string {
  const hint = headers.get('X-Blazon-Key-Hint');
  const createdAt = headers.get('X-Blazon-Key-Created-At');
  if (hint === null || createdAt === null) return '';
  const created = new Date(createdAt).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
  return (
    ` Your API key still works: it ends in ${hint} and was created on ${created}. If you do not recognize it, ` +
    'replace it.'
  );
}

/** Undefined when there was no answer, or one that is not the service's. */
async function send(path: string, body: object, sender: HTMLFormElement): Promise<Answer | undefined> {
  const button = sender.querySelector('button');
  if (button) button.disabled = true;
  show('One moment…', '');
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const content = (text === '' ? {} : JSON.parse(text)) as Pick<Answer, 'message' | 'details'>;
    return { ...content, ok: response.ok, headers: response.headers };
  } catch {
    show(UNREACHABLE, 'bad');
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
}

async function followLink(): Promise<void> {
  const body = password ? { token, newPassword: password.value } : { token };
  const answer = await send(`/auth/${purpose}`, body, form);
  if (!answer) return;
  const { ok, headers, message = UNREACHABLE, details = [] } = answer;
  if (ok) {
    history.replaceState(null, '', location.pathname);
    const [title, text] = DONE[purpose] ?? ['Done', ''];
    finish(title, text + keyThatStays(headers), 'good');
  } else if (details.some(({ field }) => field === 'token')) {
    rejectLink(UNUSABLE[purpose] ?? message);
  } else {
    const [detail] = details;
    show(detail ? `The password is ${detail.reason}. Allowed: ${detail.allowed ?? ''}.` : message, 'bad');
    password?.focus();
  }
}

async function requestAnotherLink(sender: HTMLFormElement): Promise<void> {
  const answer = await send('/auth/forgot-password', { email: element('#email', HTMLInputElement).value }, sender);
  if (!answer) return;
  if (answer.ok) sender.hidden = true;
  show(answer.message ?? UNREACHABLE, answer.ok ? 'good' : 'bad');
}

// Another link was put into the same window.
addEventListener('hashchange', () => location.reload());
document.querySelector<HTMLInputElement>('#show')?.addEventListener('change', function () {
  if (password) password.type = this.checked ? 'text' : 'password';
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void followLink();
});
again?.addEventListener('submit', (event) => {
  event.preventDefault();
  void requestAnotherLink(again);
});

if (token === null || token === '') {
  rejectLink('It is not complete. Copy it from the mail again, as a whole.');
} else {
  form.hidden = false;
  (password ?? form.querySelector('button'))?.focus();
}

// Shows the progress of the catalog import, and reloads when the service can serve the requested page.
const POLL_MS = 1000;
const state = document.getElementById('state');
const hint = state.textContent;

function say(text) {
  // Unchanged text is not written again, because a screen reader would read it aloud again.
  if (state.textContent !== text) state.textContent = text;
}

async function follow() {
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' });
    if (response.status !== 503) {
      location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [shown, next] = [document, page].map((each) => each.getElementById('import'));
    if (next && next.innerHTML !== shown.innerHTML) shown.replaceChildren(...next.childNodes);
    say(hint);
  } catch {
    say('The service does not respond. This page tries again.');
  }
  setTimeout(follow, POLL_MS);
}

setTimeout(follow, POLL_MS);

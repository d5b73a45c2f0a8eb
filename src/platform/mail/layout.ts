// Layout of a mail: as plain text, and as HTML that is readable in light and dark mode and loads nothing.

export interface MailButton {
  readonly label: string;
  readonly address: string;
}

export interface MailContent {
  readonly title: string;
  readonly lines: readonly string[];
  readonly button?: MailButton | undefined;
  /** Lines of smaller text below the button. */
  readonly notes: readonly string[];
}

/**
 * Dark colors for mail clients that support color schemes. Other clients compute dark colors from the light colors, but
 * only if every light color is set.
 */
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#0b0e14!important}
.card{background:#121620!important;border-color:#262d3b!important}
.ink{color:#eef0f6!important}
.quiet{color:#b4bbca!important}
.button{background:#9db6ff!important}
.button a{color:#0b0e14!important}
}`;
const FONT = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Returns the text and the HTML of a mail. `origin`: origin of the service. */
export function mailBodies(content: MailContent, origin: string): { readonly text: string; readonly html: string } {
  return { text: textOf(content, origin), html: htmlOf(content, origin) };
}

function textOf({ title, lines, button, notes }: MailContent, origin: string): string {
  const link = button ? [`${button.label}:\n${button.address}`] : [];
  return `${[title, ...lines, ...link, ...notes, `Blazon, ${origin}`].join('\n\n')}\n`;
}

/**
 * Returns HTML that works in all mail clients. It uses tables as layout, and inline styles because some clients remove
 * styles in the head.
 */
function htmlOf({ title, lines, button, notes }: MailContent, origin: string): string {
  const paragraph = (line: string): string =>
    `<p class="ink" style="margin:0 0 16px;color:#12151c;font-size:16px;line-height:1.5">${escaped(line)}</p>`;
  const note = (line: string): string =>
    `<p class="quiet" style="margin:0 0 8px;color:#4c5363;font-size:14px;line-height:1.5">${escaped(line)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>:root{color-scheme:light dark}
${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f8">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f8;${FONT}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td class="ink" style="padding:0 4px 16px;color:#12151c;font-size:18px;font-weight:700">Blazon</td></tr>
<tr><td class="card" style="padding:28px 28px 20px;background:#ffffff;border:1px solid #e3e6ed;border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;color:#12151c;font-size:22px;line-height:1.3">${escaped(title)}</h1>
${lines.map(paragraph).join('\n')}
${button ? buttonOf(button) : ''}${notes.map(note).join('\n')}
</td></tr>
<tr><td style="padding:16px 4px 0">${note(`Sent by Blazon at ${new URL(origin).host}.`)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function buttonOf({ label, address }: MailButton): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr>
<td class="button" style="background:#2544a8;border-radius:8px">
<a href="${escaped(address)}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escaped(label)}</a>
</td></tr></table>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

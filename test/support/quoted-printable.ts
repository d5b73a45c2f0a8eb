// Decoder of quoted-printable mails (RFC 2045, section 6.7).

/** Each part that is quoted-printable is decoded, the others stay as they are. */
export function unfolded(mail: string): string {
  return mail
    .split(/^(?=--)/m)
    .map((part) => (/^Content-Transfer-Encoding: quoted-printable/im.test(part) ? decoded(part) : part))
    .join('');
}

function decoded(part: string): string {
  // In one go: what an escape stands for is no part of another one.
  return part.replaceAll(/=(?:\r?\n|([\dA-F]{2}))/g, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(parseInt(code, 16)),
  );
}

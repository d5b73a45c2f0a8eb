// Decoder of quoted-printable mails (RFC 2045, section 6.7).

/** Decodes the parts of the mail that are quoted-printable. */
export function unfolded(mail: string): string {
  return mail
    .split(/^(?=--)/m)
    .map((part) => (/^Content-Transfer-Encoding: quoted-printable/im.test(part) ? decoded(part) : part))
    .join('');
}

function decoded(part: string): string {
  // One pass over the text: decoded text must not be decoded again.
  return part.replaceAll(/=(?:\r?\n|([\dA-F]{2}))/g, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(parseInt(code, 16)),
  );
}

// Decoder for mails in quoted-printable (RFC 2045, section 6.7).

export function unfolded(mail: string): string {
  return mail
    .split(/^(?=--)/m)
    .map((part) => (/^Content-Transfer-Encoding: quoted-printable/im.test(part) ? decoded(part) : part))
    .join('');
}

function decoded(part: string): string {
  // Decodes in one pass, because decoded text must not be decoded again.
  return part.replaceAll(/=(?:\r?\n|([\dA-F]{2}))/g, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(parseInt(code, 16)),
  );
}

// Mails as they were sent, made readable (RFC 2045, section 6.7) as far as addresses need it.

export function unfolded(mail: string): string {
  return mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=').replaceAll('=23', '#');
}

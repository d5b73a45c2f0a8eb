// Mails as they were sent, made readable (RFC 2045, section 6.7).

export function unfolded(mail: string): string {
  // In one go: what an escape stands for is no part of another one.
  return mail.replaceAll(/=(?:\r?\n|([\dA-F]{2}))/g, (_, code?: string) => (code === undefined ? '' : String.fromCharCode(parseInt(code, 16))));
}

// TCP connections that send bytes that no HTTP client sends.
import { connect, type Socket } from 'node:net';

/**
 * Sends the packets and keeps the client's side of the connection open. Resolves with all received bytes when the
 * server has closed the connection.
 */
export function exchangeRaw(port: number, ...packets: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    let text = '';
    const send = (index: number) => {
      const packet = packets[index];
      // Waits between two packets. Otherwise the server could read them as one.
      if (packet !== undefined && socket.writable)
        socket.write(packet, 'latin1', () => setTimeout(send, 20, index + 1));
    };
    socket.on('connect', () => send(0));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        resolve(text);
        socket.destroy();
      });
    }
  });
}

/** Opens a connection that sends one packet and never reads the response. */
export function deafClient(port: number, packet: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(packet);
  return socket;
}

export function answersIn(text: string): { status: number; head: string; body: string }[] {
  const answers = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const head = rest.slice(0, end);
    const length = Math.min(Number(/^Content-Length: (\d+)$/im.exec(head)?.[1] ?? 0), rest.length - end - 4);
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
      head,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

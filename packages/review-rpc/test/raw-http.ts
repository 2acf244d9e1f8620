import { connect } from 'node:net';

/** Speaks to a port without any library that would tidy the request, and answers the head of what came back. */
export function exchange(
  port: number,
  lines: readonly string[],
  body = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) done();
    });
    socket.on('end', done);
    socket.on('error', reject);
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** The lines of an upgrade; a header of null is left out. */
export function upgrade(target: string, headers: Record<string, string | null>): string[] {
  const all: Record<string, string | null> = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return [`GET ${target} HTTP/1.1`, ...lines];
}

import { connect } from 'node:net';

/** Posts a relay call and disconnects immediately. */
export function abandon(socketPath: string, body: unknown): Promise<void> {
  const text = JSON.stringify(body);
  const headerText = `POST /relay HTTP/1.1\r\nhost: vault\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => socket.end(headerText + text, () => socket.destroy()));
    socket.on('close', () => resolve()).on('error', reject);
  });
}

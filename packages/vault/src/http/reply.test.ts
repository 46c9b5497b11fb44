import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startLines } from './reply.ts';

/** Bytes of a response's body on the wire, in chunks as HTTP marks them. */
async function chunksOf(answer: (response: ServerResponse) => void): Promise<string[]> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const received = await text(socket);
  server.close();
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  return body.split(/[0-9a-f]+\r\n/).map((chunk) => chunk.trimEnd());
}

test('lines of one turn are sent together, and the last ones with the end', async () => {
  const chunks = await chunksOf((response) => {
    const lines = startLines(response);
    lines.write({ n: 1 });
    lines.write({ n: 2 });
    setTimeout(() => {
      lines.write({ n: 3 });
      lines.end();
    }, 20);
  });
  expect(chunks).toEqual(['', '{"n":1}\n{"n":2}', '{"n":3}', '']);
});

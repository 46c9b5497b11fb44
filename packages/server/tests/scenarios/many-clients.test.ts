import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { defaults } from '../../src/config/config.ts';
import { useApi } from '../support/api.ts';

const api = useApi();

it('a server answers more open connections of clients than it has to its database', async () => {
  using sockets = new DisposableStack();
  const { hostname, port } = new URL(api.stack.baseUrl);
  const open = () =>
    sockets.adopt(connect(Number(port), hostname), (socket) => void socket.destroy());
  const clients = Array.from({ length: 2 * defaults.connections_max }, open);
  const answers = await Promise.all(
    clients.map(async (client) => {
      client.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
      const [chunk] = await Promise.race([once(client, 'data'), once(client, 'close')]);
      return String(chunk).split(' ')[1];
    }),
  );
  expect(new Set(answers)).toEqual(new Set(['200']));
});

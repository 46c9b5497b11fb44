import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { StartupError } from '../kernel/errors.ts';
import { BACKLOG, type OpenListener, SERVER_OPTIONS } from './server.ts';

/** Maximum path of a Unix socket that both Linux (107 bytes) and macOS (103 bytes) accept. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Users that can connect: the vault's own, or also the group of the socket's directory. */
export type SocketMode = 'owner' | 'group';

const PERMISSIONS: Readonly<Record<SocketMode, number>> = { owner: 0o600, group: 0o660 };

/** A listener on a Unix socket, for the users of `mode`. */
export const unixSocket =
  (path: string, mode: SocketMode): OpenListener =>
  async (listener) => {
    const server = createServer(SERVER_OPTIONS, listener);
    await listen(server, path, mode);
    return server;
  };

/** Listens on `path`. Replaces the socket of a crashed process. */
async function listen(server: Server, path: string, mode: SocketMode): Promise<void> {
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    throw new StartupError(
      `VAULT_SOCKET is longer than ${SOCKET_PATH_BYTES_MAX} bytes, the limit of a Unix socket's path. Choose a shorter path.`,
    );
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(refusePlace(path));
  if (await isServed(path)) throw new StartupError(`Another vault uses ${path}. Stop it first.`);
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, backlog: BACKLOG }, resolve);
  }).catch(refusePlace(path));
  await chmod(path, PERMISSIONS[mode]);
}

/** Names the directory of the socket, and who creates it. */
const refusePlace =
  (path: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw new StartupError(
      `The vault cannot listen at ${path} (${cause.code}). Create the directory ${dirname(path)} as root, for the user of the vault and the group that the server shares.`,
      { cause },
    );
  };

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => resolve(true)).once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });

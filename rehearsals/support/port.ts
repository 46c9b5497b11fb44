import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits until a port of loopback accepts connections. Resolves with false after `limit_ms`, or when `isOver`. */
export async function accepts(
  port: number,
  limit_ms: number,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const deadline = performance.now() + limit_ms;
  while (!(await acceptsNow(port))) {
    if (performance.now() > deadline || isOver()) return false;
    await sleep(POLL_MS);
  }
  return true;
}

async function acceptsNow(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

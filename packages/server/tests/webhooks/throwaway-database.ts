import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface ThrowawayDatabase extends AsyncDisposable {
  readonly url: string;
}

/** An empty database on the server that `FLORIN_TEST_POSTGRES` names, or on one of its own. */
export async function throwawayDatabase(): Promise<ThrowawayDatabase> {
  const admin = process.env.FLORIN_TEST_POSTGRES;
  const cluster = admin ? undefined : await startCluster();
  const adminUrl = new URL(admin ?? cluster!.url);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(adminUrl.href, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await execute(adminUrl.href, `drop database ${name} with (force)`);
      await cluster?.[Symbol.asyncDispose]();
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function startCluster(): Promise<ThrowawayDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-webhooks-'));
  const owner = await ownerOf(dir);
  const data = join(dir, 'data');
  await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], owner);
  const settings = `-c listen_addresses= -c unix_socket_directories=${dir} -c fsync=off`;
  const log = join(dir, 'log');
  await run('pg_ctl', ['-D', data, '-w', '-l', log, '-o', settings, 'start'], owner);
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`,
    async [Symbol.asyncDispose]() {
      await run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop'], owner);
      await rm(dir, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so root runs it as the user that is there for it. */
async function ownerOf(dir: string): Promise<{ uid?: number; gid?: number; cwd: string }> {
  if (process.getuid?.() !== 0) return { cwd: dir };
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  await chown(dir, uid!, gid!);
  return { uid: uid!, gid: gid!, cwd: dir };
}

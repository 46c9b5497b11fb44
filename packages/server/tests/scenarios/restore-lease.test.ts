import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askProcess,
  type RestoreRequest,
  takeRequest,
  withdrawRequest,
} from '../../src/features/restore/requests.ts';
import { takeRunLease } from '../../src/features/restore/run-lease.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import {
  factOf,
  replaceFact,
} from '../../src/platform/database/installation/installation-facts.ts';
import { useDatabase } from '../support/database.ts';
import { restoreCommandAt } from '../support/restore-command.ts';

const RESTORED_TO = '2026-11-28T12:00:00.000Z';
const BEGUN_AT = '2026-11-28T13:00:00.000Z';
const database = useDatabase();
let db: Database;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 2 });
  await replaceFact(db, 'restored', RESTORED_TO);
});
afterAll(() => db[Symbol.asyncDispose]());

const restored = restoreCommandAt(() => database.url);

describe('the run that learns', () => {
  it('is the only one, and a second command changes nothing and names the first', async () => {
    await using _lease = await takeRunLease(db, BEGUN_AT);
    const first = new RegExp(`process ${process.pid}\\) learns since ${BEGUN_AT}`);
    await expect(takeRunLease(db, BEGUN_AT)).rejects.toThrow(first);
    const output = await restored('learn');
    expect(output).toMatch(first);
    expect(output).toContain('Nothing was changed');
    expect(await factOf(db, 'restore_request')).toBeUndefined();
    expect(await restored('open', '--without-learning')).toMatch(first);
    expect(await factOf(db, 'restored')).toBe(RESTORED_TO);
  });

  it('frees its lease', async () => {
    await (await takeRunLease(db, BEGUN_AT))[Symbol.asyncDispose]();
    expect(await factOf(db, 'restore_run')).toBeUndefined();
  });

  it('is replaced after its process died, and notices that', async () => {
    await using dead = await takeRunLease(db, BEGUN_AT);
    const stored = JSON.parse((await factOf(db, 'restore_run')) ?? '{}');
    const before = { ...stored, token: 'of another process', seen_at: '2026-11-28T13:00:00Z' };
    await replaceFact(db, 'restore_run', JSON.stringify(before));
    await using _lease = await takeRunLease(db, BEGUN_AT);
    dead.require();
    await dead.renew();
    expect(() => dead.require()).toThrow('lost its lease to another run');
  });
});

it('takes a request back only while no process has it', async () => {
  const request: RestoreRequest = { id: 'one', verb: 'learn', is_dry: true };
  await askProcess(db, request);
  expect(await withdrawRequest(db, { ...request, id: 'two' })).toBe(false);
  expect(await withdrawRequest(db, request)).toBe(true);
  await askProcess(db, request);
  expect(await takeRequest(db)).toEqual(request);
  expect(await withdrawRequest(db, request)).toBe(false);
});

import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { etcdArgs, haproxyConfig, type Place, patroniConfig } from './config.ts';

const placeOf = (name: string, port: number): Place => ({
  name,
  directory: `/r/${name}`,
  postgres: port,
  rest: port + 1,
  etcd_clients: port + 2,
  etcd_peers: port + 3,
});
const db1 = placeOf('db1', 1_000);
const PLACES = [db1, placeOf('db2', 2_000), placeOf('db3', 3_000)];

const patroni = parse(patroniConfig(db1, PLACES));

it('keeps what the example says about failover', () => {
  const { dcs } = patroni.bootstrap;
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
  expect(dcs.postgresql).toMatchObject({ use_pg_rewind: true });
  // Patroni gives up the leadership before it ends only if this holds.
  expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout);
});

it('replaces all addresses and passwords of the example', () => {
  const text = JSON.stringify(patroni);
  expect(text).not.toMatch(/10\.0\.0\.|REPLACE|\/var\/lib/);
  expect(patroni.etcd.hosts).toBe('127.0.0.1:1002,127.0.0.1:2002,127.0.0.1:3002');
  expect(patroni.postgresql.connect_address).toBe('127.0.0.1:1000');
});

it('checks each machine by Patroni, at the ports of the rehearsal', () => {
  const lines = haproxyConfig(9_000, PLACES).split('\n');
  expect(lines).toContain('  bind 127.0.0.1:9000');
  expect(lines).toContain('  option httpchk OPTIONS /primary');
  expect(lines.filter((line) => line.startsWith('  server '))).toEqual([
    '  server db1 127.0.0.1:1000 check port 1001',
    '  server db2 127.0.0.1:2000 check port 2001',
    '  server db3 127.0.0.1:3000 check port 3001',
  ]);
});

it('uses the API of etcd over which Patroni 3.0.2 compares before it takes the leadership', () => {
  expect(patroni).not.toHaveProperty('etcd3');
  expect(etcdArgs(db1, PLACES)).toContain('--enable-v2=true');
});

it('gives each member of etcd the addresses of all', () => {
  expect(etcdArgs(db1, PLACES)).toContain(
    '--initial-cluster=db1=http://127.0.0.1:1003,db2=http://127.0.0.1:2003,db3=http://127.0.0.1:3003',
  );
});

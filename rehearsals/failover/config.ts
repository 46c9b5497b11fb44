import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'deploy', 'patroni');

export const SUPERUSER_PASSWORD = 'superuser';

/** Where a database machine of the rehearsal is. */
export interface Place {
  readonly name: string;
  readonly directory: string;
  readonly postgres: number;
  readonly rest: number;
  readonly etcd_clients: number;
  readonly etcd_peers: number;
}

interface PatroniFile {
  readonly postgresql: { readonly parameters: object };
}

/** The example of `deploy/patroni` with the addresses of the rehearsal, and without TLS. */
export function patroniConfig(place: Place, places: readonly Place[]): string {
  const example = parse(readFileSync(join(EXAMPLES, 'patroni.yml'), 'utf8')) as PatroniFile;
  const listening = (port: number) => ({
    listen: address(port),
    connect_address: address(port),
  });
  return stringify({
    ...example,
    name: place.name,
    etcd: { hosts: places.map(({ etcd_clients }) => address(etcd_clients)).join(',') },
    restapi: listening(place.rest),
    postgresql: {
      ...example.postgresql,
      ...listening(place.postgres),
      data_dir: join(place.directory, 'data'),
      pgpass: join(place.directory, 'pgpass'),
      authentication: AUTHENTICATION,
      parameters: { unix_socket_directories: place.directory },
      pg_hba: ['replication replicator', 'all all'].map(
        (whom) => `host ${whom} 127.0.0.1/32 scram-sha-256`,
      ),
    },
  });
}

const AUTHENTICATION = {
  superuser: { username: 'postgres', password: SUPERUSER_PASSWORD },
  replication: { username: 'replicator', password: 'replicator' },
  rewind: { username: 'rewinder', password: 'rewinder' },
};

/** The example of `deploy/patroni` with the ports of the rehearsal. */
export function haproxyConfig(port: number, places: readonly Place[]): string {
  const lines = readFileSync(join(EXAMPLES, 'haproxy.cfg'), 'utf8').trimEnd().split('\n');
  const servers = places.map(
    ({ name, postgres, rest }) => `  server ${name} ${address(postgres)} check port ${rest}`,
  );
  return [
    ...lines
      .filter((line) => !line.startsWith('  server '))
      .map((line) => (line.startsWith('  bind ') ? `  bind ${address(port)}` : line)),
    ...servers,
    '',
  ].join('\n');
}

/** Options of a member of etcd. */
export function etcdArgs(place: Place, places: readonly Place[]): string[] {
  const url = (port: number): string => `http://${address(port)}`;
  const options = {
    name: place.name,
    'data-dir': join(place.directory, 'etcd'),
    'listen-client-urls': url(place.etcd_clients),
    'advertise-client-urls': url(place.etcd_clients),
    'listen-peer-urls': url(place.etcd_peers),
    'initial-advertise-peer-urls': url(place.etcd_peers),
    'initial-cluster': places.map(({ name, etcd_peers }) => `${name}=${url(etcd_peers)}`).join(','),
    'enable-v2': 'true',
    'log-level': 'warn',
  };
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`);
}

const address = (port: number): string => `127.0.0.1:${port}`;

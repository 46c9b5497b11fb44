import { type Hosts, hostConfig, steerClient } from '@florin/contract/database/hosts.ts';
import pg from 'pg';
import { RowClient } from './row-client.ts';

/** Creates the class of a pool's clients, which connect to the current host of `hosts`. */
export const rowClientOf = (hosts: Hosts): typeof RowClient =>
  class extends RowClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...hostConfig(hosts) });
      steerClient(this, hosts);
    }
  };

/** Creates a client for the current host of `hosts`. */
export function createHostClient(hosts: Hosts, config: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ ...config, ...hostConfig(hosts) });
  steerClient(client, hosts);
  return client;
}

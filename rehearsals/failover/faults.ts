import { setTimeout as sleep } from 'node:timers/promises';
import type { HighAvailability } from './database.ts';
import type { Machine } from './machine.ts';

/** Pause before a machine that was replaced comes back. */
const RETURN_MS = 3_000;
/** Time with two PostgreSQL that accept statements: longer than Florin waits for a silent one. */
const UNWATCHED_MS = 15_000;
/** Longer than Patroni needs to choose another synchronous standby. */
const STANDBY_OUTAGE_MS = 30_000;

export interface Fault {
  readonly description: string;
  /** Injects the fault. Resolves when the machines can work again, which takes them further time. */
  inject(database: HighAvailability): Promise<void>;
}

/** Faults by name. No step replaces an operator: what starts again here, systemd or a hypervisor starts. */
export const FAULTS = {
  postgres: {
    description: 'kill PostgreSQL of the leader',
    inject: async (database) => (await database.leader()).killPostgres(),
  },
  machine: {
    description: 'kill the machine of the leader',
    async inject(database) {
      const machine = await database.leader();
      await machine.kill();
      await database.leader(machine);
      await sleep(RETURN_MS);
      await start(machine);
    },
  },
  switchover: {
    description: 'switch over',
    async inject(database) {
      const machine = await database.leader();
      await machine.switchOver();
      await database.leader(machine);
    },
  },
  freeze: {
    description: 'freeze the machine of the leader',
    async inject(database) {
      const machine = await database.leader();
      machine.freeze();
      await database.leader(machine);
      await sleep(RETURN_MS);
      machine.thaw();
    },
  },
  patroni: {
    description: 'freeze Patroni of the leader',
    async inject(database) {
      const machine = await database.leader();
      machine.freezePatroni();
      await database.leader(machine);
      await sleep(UNWATCHED_MS);
      machine.thaw();
    },
  },
  standby: {
    description: 'kill the synchronous standby',
    async inject(database) {
      const machine = await database.synchronousStandby();
      await machine.kill();
      await sleep(STANDBY_OUTAGE_MS);
      await start(machine);
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

async function start(machine: Machine): Promise<void> {
  machine.startEtcd();
  await machine.waitForEtcd();
  await machine.startPatroni();
}

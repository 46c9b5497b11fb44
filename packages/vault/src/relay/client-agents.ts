import type { Agent } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import type { ClientIdentity } from './client-identity.ts';

/** Maximum number of accounts with open connections. The least recently used is closed. */
export const CLIENT_AGENTS_MAX = 256;
/** Time after which the connections and the key of an unused account are dropped. */
export const CLIENT_IDLE_MS = 600_000;

/** Connections of accounts with a client certificate. */
export interface ClientAgents extends AsyncDisposable {
  /** Connections of an account. Another certificate closes those of the last one, after their messages. */
  agentFor(identity: ClientIdentity): Agent;
  /** Closes the connections of an account after their messages. */
  close(account: string): void;
}

interface OpenAgent {
  readonly agent: Agent;
  readonly fingerprint: string;
  used_at: number;
}

export function createClientAgents(
  clock: Clock,
  createAgent: (identity: ClientIdentity) => Agent,
): ClientAgents {
  /** By account, the least recently used first. */
  const openAgents = new Map<string, OpenAgent>();
  const closingAgents = new Set<Agent>();

  function close(account: string): void {
    const agent = openAgents.get(account)?.agent;
    if (!agent) return;
    openAgents.delete(account);
    closingAgents.add(agent);
    agent
      .close()
      .catch(() => agent.destroy())
      .finally(() => closingAgents.delete(agent));
  }

  function closeUnused(now: number): void {
    for (const [account, { used_at }] of openAgents) {
      if (openAgents.size <= CLIENT_AGENTS_MAX && now < used_at + CLIENT_IDLE_MS) return;
      close(account);
    }
  }

  return {
    close,
    agentFor(identity) {
      const { account, fingerprint } = identity;
      const now = clock();
      if (openAgents.get(account)?.fingerprint !== fingerprint) close(account);
      const open = openAgents.get(account) ?? {
        agent: createAgent(identity),
        fingerprint,
        used_at: now,
      };
      open.used_at = now;
      openAgents.delete(account);
      openAgents.set(account, open);
      closeUnused(now);
      return open.agent;
    },
    async [Symbol.asyncDispose]() {
      for (const account of openAgents.keys()) close(account);
      await Promise.all([...closingAgents].map((agent) => agent.destroy()));
    },
  };
}

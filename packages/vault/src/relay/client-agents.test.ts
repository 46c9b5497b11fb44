import { Agent } from 'undici';
import { expect, it } from 'vitest';
import { CLIENT_AGENTS_MAX, CLIENT_IDLE_MS, createClientAgents } from './client-agents.ts';

function openAgents() {
  const clock = { now: 0 };
  const agents = createClientAgents(
    () => clock.now,
    () => new Agent(),
  );
  const agentFor = (account: string, fingerprint = 'first') =>
    agents.agentFor({ account, fingerprint, certificate: '', private_key: '' });
  return { agents, agentFor, clock };
}

it('an account keeps its connections until its certificate changes', () => {
  const { agentFor } = openAgents();
  const agent = agentFor('a');
  expect([agentFor('a') === agent, agentFor('b') === agent]).toEqual([true, false]);
  const renewed = agentFor('a', 'second');
  expect([agent.closed, renewed.closed]).toEqual([true, false]);
  expect(agentFor('a', 'second')).toBe(renewed);
});

it('the least recently used of too many accounts is closed', () => {
  const { agentFor } = openAgents();
  const [first, second] = [agentFor('0'), agentFor('1')];
  for (let count = 2; count < CLIENT_AGENTS_MAX; count += 1) agentFor(`${count}`);
  agentFor('0');
  expect([first.closed, second.closed]).toEqual([false, false]);
  agentFor('one more');
  expect([first.closed, second.closed]).toEqual([false, true]);
});

it('an unused account is closed when another is used', () => {
  const { agentFor, clock } = openAgents();
  const agent = agentFor('a');
  clock.now = CLIENT_IDLE_MS - 1;
  agentFor('b');
  expect(agent.closed).toBe(false);
  clock.now += 1;
  agentFor('b');
  expect(agent.closed).toBe(true);
});

it('disposal closes all connections', async () => {
  const { agents, agentFor } = openAgents();
  const opened = [agentFor('a'), agentFor('b')];
  await agents[Symbol.asyncDispose]();
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

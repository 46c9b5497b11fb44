import { createSimulator, type Simulator } from './app.ts';
import { readEnv, type SimulatorEnv } from './config/env.ts';
import { lastDoorPortsIn, lastPortIn, storeAddress, storeDoors } from './last-address.ts';

// A full disk or closed pipe on the output must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Reason of a failed start, in one sentence for the operator. */
function reasonOf(error: unknown, env?: SimulatorEnv): string {
  const { code, message } =
    error instanceof Error
      ? (error as NodeJS.ErrnoException)
      : { code: '', message: String(error) };
  if (code === 'EADDRINUSE')
    return `Port ${env?.port} for the simulated network is in use. Set SIMULATOR_PORT to another port.`;
  if (message === 'database is locked')
    return `The ledger in ${env?.dataDir} is in use by another simulator.`;
  return `The simulated network cannot start: ${message}`;
}

async function stopWith(simulator: Simulator): Promise<void> {
  await simulator[Symbol.asyncDispose]();
  process.exit(0);
}

/** Starts at the port of the last start if it is free, since addresses of processor accounts contain the port. */
async function startSimulator(env: SimulatorEnv): Promise<Simulator> {
  const port = env.port || lastPortIn(env.dataDir);
  // Other machines may reach the port of the simulator only.
  const config = env.host ? env : { ...env, doorPorts: lastDoorPortsIn(env.dataDir) };
  try {
    return await createSimulator({ ...config, port });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isTaken || env.port !== 0) throw error;
    return createSimulator(config);
  }
}

async function main(): Promise<void> {
  let env: SimulatorEnv | undefined;
  try {
    env = readEnv();
    const simulator = await startSimulator(env);
    storeAddress(env.dataDir, simulator.url);
    storeDoors(env.dataDir, simulator.doors);
    process.once('SIGTERM', () => void stopWith(simulator));
    process.once('SIGINT', () => void stopWith(simulator));
    process.once('disconnect', () => process.exit(0));
    if (process.send)
      process.send({
        type: 'ready',
        url: simulator.url,
        stand_in_urls: Object.values(simulator.doors),
      });
    else process.stdout.write(`The simulated network listens at ${simulator.url}\n`);
  } catch (error) {
    const message = reasonOf(error, env);
    if (!process.send) process.stderr.write(`${message}\n`);
    process.exitCode = 1;
    process.send?.({ type: 'failed', message }, () => process.disconnect());
  }
}

await main();

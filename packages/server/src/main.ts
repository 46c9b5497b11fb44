import { createApp } from './app.ts';
import { configFromEnv, isRouterFromEnv, routerConfigFromEnv } from './config/env.ts';
import { createRouter } from './router.ts';

/** Sends a message to the supervising process, if there is one. */
const report = (message: object): void => void process.send?.(message);

// A full disk or a closed pipe behind standard error must not end the process.
process.stderr.on('error', () => {});

async function startServer() {
  const app = await createApp(configFromEnv());
  const { credentials_path, first_start, notice } = app;
  return { app, facts: { credentials_path, first_start, notice } };
}

const startRouter = async () => ({ app: await createRouter(routerConfigFromEnv()), facts: {} });

async function main(): Promise<void> {
  const started = isRouterFromEnv() ? await startRouter() : await startServer();
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await started.app[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The supervisor has exited, so nothing else would stop this process.
  process.on('disconnect', stop);
  report({ type: 'ready', ...started.facts });
}

main().catch((error: Error) => {
  report({ type: 'failed', message: error.message });
  if (!process.send) process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

import { startServer } from '@florin/dev-env/parts.ts';
import { runAsChild } from './child.ts';
import { settingsFromEnv } from './config/env.ts';
import { fastClock } from './fast-clock.ts';
import { watchKillPoints } from './kill-points.ts';
import { createRunProcessors } from './processors.ts';

const WORK_POLL_MS = 300;
/** Lasts one and a half seconds of the system clock, in which a busy server can record an outcome. */
const LEASE_MS = 60_000;
const RETRY_SCALE = 0.05;

const settings = settingsFromEnv();
const killPoints = watchKillPoints(settings);

await runAsChild(async () => {
  const { port, dataDir, socketPath, simulatorUrl, databaseUrl } = settings;
  const addresses = { port, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl: '' };
  const config = {
    clock: fastClock(settings),
    work_poll_ms: WORK_POLL_MS,
    timelines_poll_ms: WORK_POLL_MS,
    attempt_lease_ms: LEASE_MS,
    webhook_retry_scale: RETRY_SCALE,
    log_level: 'error',
  } as const;
  const app = await startServer(addresses, config, { processors: createRunProcessors });
  killPoints.beginService();
  return app;
});

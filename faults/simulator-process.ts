import { appendFileSync, existsSync } from 'node:fs';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { watchLedger } from './book-points.ts';
import { runAsChild } from './child.ts';
import { settingsFromEnv } from './config/env.ts';
import { fastClock } from './fast-clock.ts';
import { watchKillPoints, watchMessages } from './kill-points.ts';
import { createNetworkFaults } from './network-faults.ts';
import { planOf } from './plan.ts';

const settings = settingsFromEnv();
const killPoints = watchKillPoints(settings, [watchLedger, watchMessages]);

await runAsChild(async () => {
  const { port, dataDir, seed, calmFile, faultsFile } = settings;
  const clock = fastClock(settings);
  const simulator = await startSimulator(dataDir, port, {
    faults: createNetworkFaults(planOf(seed), {
      isCalm: () => existsSync(calmFile),
      record: (fault) => appendFileSync(faultsFile, `${JSON.stringify(fault)}\n`),
    }),
    now: () => new Date(clock.now() / 1_000),
  });
  killPoints.beginService();
  return simulator;
});

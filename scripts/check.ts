import {
  commentCheck,
  migrationCheck,
  portabilityCheck,
  proseCheck,
  runChecks,
  sourceChecks,
  unusedCheck,
} from './checks/checks.ts';
import { runNode, stopOnRequest } from './program.ts';

const HOUSE_TESTS = ['packages/server/tests/house.test.ts'];

stopOnRequest();
const { failed } = await runChecks([
  migrationCheck,
  ...sourceChecks(),
  unusedCheck,
  portabilityCheck,
  commentCheck,
  proseCheck,
]);
const houseResult = await runNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...HOUSE_TESTS],
  true,
);
process.exit(process.exitCode ?? (failed > 0 || houseResult.code !== 0 ? 1 : 0));

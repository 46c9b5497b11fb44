import { DIRECTORIES, findingsIn, recordIn } from './checks/migrations.ts';
import { recordSchemas } from './checks/record-schemas.ts';

const recorded = (await Promise.all(DIRECTORIES.map(recordIn))).flat();
console.log(recorded.length > 0 ? `Recorded ${recorded.join(', ')}.` : 'Nothing new to record.');
const findings = (await Promise.all(DIRECTORIES.map(findingsIn))).flat();
for (const finding of findings) console.error(finding);
// Always: a merge may have brought a migration with a lower number.
console.log(`Wrote ${(await recordSchemas()).join(', ')}.`);
process.exitCode = findings.length > 0 ? 1 : 0;

import { DIRECTORIES, findingsIn, recordIn } from './checks/migrations.ts';

const recorded = (await Promise.all(DIRECTORIES.map(recordIn))).flat();
console.log(recorded.length > 0 ? `Recorded ${recorded.join(', ')}.` : 'Nothing new to record.');
const findings = (await Promise.all(DIRECTORIES.map(findingsIn))).flat();
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;

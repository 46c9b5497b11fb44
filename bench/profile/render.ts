import { renderProcessorTimes } from '../report.ts';
import { roundText } from '../table.ts';
import type { Capture } from './capture.ts';
import { renderFunctions, sumSelfTimes } from './functions.ts';
import { NO_STATEMENTS, renderStatements } from './statements.ts';
import { NO_WAL, renderWal } from './write-ahead-log.ts';

/** Statements, and functions of a process, that the report lists. */
const TOP = 25;

/** The report of a profile as text. `root` shortens the paths of files. */
export const renderCapture = (capture: Capture, root: string): string =>
  [
    headOf(capture),
    processorTimesOf(capture),
    walOf(capture),
    section(
      `Statements of server and vault, the ${TOP} longest`,
      capture.hasStatements ? renderStatements(capture.statements, TOP) : NO_STATEMENTS,
    ),
    ...Object.entries(capture.profiles).map(([program, profile]) =>
      section(
        `Functions of the ${program} by self time`,
        renderFunctions(sumSelfTimes(profile, root), TOP),
      ),
    ),
  ]
    .filter(Boolean)
    .join('\n\n');

const section = (title: string, text: string): string => `${title}\n${text}`;

const headOf = ({ row, measured, seconds, operations }: Capture): string =>
  `${row.name}: ${roundText(measured.figure)} ${row.unit} in ${seconds} s under the profiler, ${operations} operations`;

const processorTimesOf = ({ row, measured: { processor_ms } }: Capture): string => {
  const table = processor_ms && renderProcessorTimes(new Map([[row.name, [processor_ms]]]));
  return table ? section('Processor time per operation, ms', table) : '';
};

/** Rows that read create a payment or none: the log of their run is not that of an operation. */
const OPERATIONS_MIN = 100;

function walOf({ wal, operations }: Capture): string {
  if (!wal) return NO_WAL;
  return operations >= OPERATIONS_MIN
    ? section('Write-ahead log (WAL) per operation', renderWal(wal, operations))
    : section('Write-ahead log (WAL) of the whole run', renderWal(wal, 1));
}

import type { AccountProcessor } from './account-processor.ts';
import type { Directory } from './directory.ts';
import type { Processor } from './processor.ts';

/** One named check for the test runner. */
export interface ConformanceCase {
  readonly name: string;
  run(): void;
}

export type TestedProcessor = Processor & Partial<Directory> & Pick<AccountProcessor, 'readKey'>;

/** Text of a test message that no sample contains. */
export const MARKER_TEXT = 'a-text-that-stands-nowhere-else';

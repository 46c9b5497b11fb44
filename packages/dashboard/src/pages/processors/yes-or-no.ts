import type { ProcessorField } from './types.ts';

type YesOrNo = 'yes' | 'no';

/** Whether the processor takes "yes" or "no" for the field, and nothing else. */
export const isYesOrNo = (field: ProcessorField | undefined): boolean =>
  field?.pattern === 'yes|no';

export const isYesOrNoValue = (value: string): value is YesOrNo =>
  value === 'yes' || value === 'no';

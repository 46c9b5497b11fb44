import type { PayerField, PayerValues } from './payer-values.ts';

/** Properties of the inputs about the person who pays. */
export interface PayerInputProps {
  readonly values: PayerValues;
  readonly set: (changes: Partial<PayerValues>) => void;
  readonly errors: Readonly<Partial<Record<PayerField, string>>>;
}

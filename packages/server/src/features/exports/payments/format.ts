import { problem } from '@florin/contract/errors.ts';
import {
  isPaymentExportColumn,
  type PaymentExportColumn,
  type PaymentExportLanguage,
  paymentExportLanguages,
} from '@florin/contract/payment-export.ts';
import { isTimezone } from '../../../jsonapi/values/timezone.ts';

/** Columns, time zone and language of a payments file for people. */
export interface PaymentFormat {
  readonly columns: readonly PaymentExportColumn[];
  readonly timezone: string;
  readonly language: PaymentExportLanguage;
}

/** Names of the query parameters of a format. The others belong to the list. */
export const FORMAT_PARAMETERS = ['columns', 'timezone', 'language'] as const;

/** Reads the format of a query. Throws 422 for an unknown column, time zone or language. */
export function readFormat(query: URLSearchParams, merchantTimezone: string): PaymentFormat {
  const columns = (query.get('columns') ?? '').split(',');
  const timezone = query.get('timezone') ?? merchantTimezone;
  if (!isTimezone(timezone))
    throw invalid(
      'timezone',
      'timezone must be a name of the IANA database, such as Europe/Paris.',
    );
  const language = query.get('language') ?? paymentExportLanguages[0];
  const knownLanguage = paymentExportLanguages.find((it) => it === language);
  if (!knownLanguage)
    throw invalid('language', `language must be one of ${paymentExportLanguages.join(', ')}.`);
  return { columns: columns.map(requireColumn), timezone, language: knownLanguage };
}

function requireColumn(name: string): PaymentExportColumn {
  if (isPaymentExportColumn(name)) return name;
  throw invalid('columns', `columns has no column ${JSON.stringify(name)}.`);
}

const invalid = (parameter: string, detail: string) =>
  problem('invalid_value', detail, { parameter });

import { problem } from '@florin/contract/errors.ts';
import {
  isPaymentExportColumn,
  type PaymentExportColumn,
  type PaymentExportLanguage,
  paymentExportLanguages,
} from '@florin/contract/payment-export.ts';
import { isTimezone } from '../../../jsonapi/values/timezone.ts';

/** Time zone and language of a file for people. */
export interface Wording {
  readonly timezone: string;
  readonly language: PaymentExportLanguage;
}

/** Wording and columns of a payments file for people. */
export interface PaymentFormat extends Wording {
  readonly columns: readonly PaymentExportColumn[];
}

/** Names of the query parameters of a format. The others belong to the list. */
export const FORMAT_PARAMETERS = ['columns', 'timezone', 'language'] as const;

/** Reads the format of a query. Throws 422 for an unknown column, time zone or language. */
export function readFormat(query: URLSearchParams, merchantTimezone: string): PaymentFormat {
  const columns = (query.get('columns') ?? '').split(',');
  return { ...readWording(query, merchantTimezone), columns: columns.map(requireColumn) };
}

/** Reads time zone and language of a file. Throws 422 if one is unknown. */
export function readWording(query: URLSearchParams, merchantTimezone: string): Wording {
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
  return { timezone, language: knownLanguage };
}

function requireColumn(name: string): PaymentExportColumn {
  if (isPaymentExportColumn(name)) return name;
  throw invalid('columns', `columns has no column ${JSON.stringify(name)}.`);
}

const invalid = (parameter: string, detail: string) =>
  problem('invalid_value', detail, { parameter });

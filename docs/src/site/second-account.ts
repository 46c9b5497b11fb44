import type { DeclineAdvice } from '@florin/contract/decline-codes.ts';
import { mayApproveElsewhere } from '@florin/server/features/payments/fallback/fallback.ts';
import {
  adyenAdviceCodes,
  adyenRefusalCodes,
  refusalOfAdyen,
} from '@florin/server/processors/adapters/adyen/refusals.ts';
import {
  checkoutAdviceOf,
  checkoutDeclineOf,
  checkoutRecommendationCodes,
  checkoutResponseCodes,
} from '@florin/server/processors/adapters/checkout-com/response-codes.ts';
import { adapters } from '@florin/server/processors/adapters/index.ts';
import {
  adviceOfCode,
  cnpDeclineCodes,
  declineOfCode,
} from '@florin/server/processors/adapters/worldpay-cnp/response-codes.ts';
import { markdownTable } from './table.ts';

/** A code of a processor, with the decline and the advice that Florin reads from it. */
interface Decline {
  readonly code: string;
  readonly decline: string;
  readonly advice: DeclineAdvice | undefined;
}

/** Decline of answers whose advice comes from the card network, whatever the reason. */
const ANY = 'any';

const adyenDeclines: readonly Decline[] = [
  ...adyenRefusalCodes.map((code) => {
    const refusal = refusalOfAdyen({ refusalReasonCode: code });
    return { code, decline: refusal.code, advice: refusal.advice };
  }),
  ...adyenAdviceCodes.map((code) => ({
    code: `\`merchantAdviceCode\` ${code}`,
    decline: ANY,
    advice: refusalOfAdyen({ merchantAdviceCode: `${code} : Advice` }).advice,
  })),
];

const checkoutDeclines: readonly Decline[] = [
  ...checkoutResponseCodes.map((code) => ({
    code,
    decline: checkoutDeclineOf(code),
    advice: checkoutAdviceOf(code),
  })),
  ...checkoutRecommendationCodes.map((code) => ({
    code: `\`recommendation_code\` ${code}`,
    decline: ANY,
    advice: checkoutAdviceOf('20005', code),
  })),
];

const cnpDeclines: readonly Decline[] = cnpDeclineCodes.map((code) => ({
  code,
  decline: declineOfCode(code) ?? ANY,
  advice: adviceOfCode(code),
}));

/** Declines of each adapter, by its name. A processor without an entry fails the test of this table. */
export const declinesByProcessor: Readonly<Record<string, readonly Decline[]>> = {
  adyen: adyenDeclines,
  checkout_com: checkoutDeclines,
  worldpay_cnp: cnpDeclines,
};

/** Answers of processors after which a second account is asked. */
export function secondAccountTable(): string {
  const rows = Object.entries(declinesByProcessor).flatMap(([name, declines]) => {
    const asking = declines.filter(({ advice }) => mayApproveElsewhere(advice));
    const groups = Map.groupBy(asking, ({ decline, advice }) => `${decline} ${advice}`);
    return [...groups.values()].map((group) => [
      adapters[name]?.metadata.display_name ?? name,
      group.map(({ code }) => code).join(', '),
      group[0]?.decline === ANY ? ANY : `\`${group[0]?.decline}\``,
      `\`${group[0]?.advice}\``,
    ]);
  });
  return markdownTable(['Processor', 'Codes', '`failure_reason`', '`advice`'], rows);
}

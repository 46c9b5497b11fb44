import { brandOf } from '@florin/contract/card/networks.ts';
import { type SandboxThreeds, sandboxCardByNumber } from '@florin/contract/card/sandbox-cards.ts';
import type {
  AuthenticationAnswer,
  AuthenticationRequest,
} from '@florin/contract/protocol/network.ts';
import { cryptogramOf, namedUuid } from './derive.ts';

const MESSAGE_VERSION = '2.2.0';

/** Electronic commerce indicators: Mastercard counts from 00, the other networks down from 07. */
const indicators = {
  mastercard: { authenticated: '02', not: '00' },
  others: { authenticated: '05', not: '07' },
} as const;

const statuses = {
  frictionless: 'Y',
  rejected: 'N',
  challenge: 'C',
  unattempted: 'R',
} as const satisfies Record<
  Exclude<SandboxThreeds, 'not_enrolled'>,
  AuthenticationAnswer['trans_status']
>;

/** The directory server's answer. It follows from the request alone, so a repeat gets the same one. */
export function authenticate(request: AuthenticationRequest): AuthenticationAnswer {
  const { reference, card, amount, currency } = request;
  const threeds = sandboxCardByNumber(card.number)?.threeds ?? 'not_enrolled';
  const eci = indicators[brandOf(card.number) === 'mastercard' ? 'mastercard' : 'others'];
  if (threeds === 'not_enrolled') {
    return { enrolled: false, message_version: MESSAGE_VERSION, eci: eci.not };
  }
  const ds_trans_id = namedUuid(`directory ${reference}`);
  const ids = { ds_trans_id, acs_trans_id: namedUuid(`access control ${reference}`) };
  const common = {
    enrolled: true,
    trans_status: statuses[threeds],
    message_version: MESSAGE_VERSION,
    ...ids,
  };
  if (threeds !== 'frictionless') return { ...common, eci: eci.not };
  const cavv = cryptogramOf({ transactionId: ds_trans_id, number: card.number, amount, currency });
  return { ...common, eci: eci.authenticated, cavv };
}

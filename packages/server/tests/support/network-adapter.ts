import { cardNetworks } from '@florin/contract/card/networks.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import type { EgressRule, Login } from '@florin/contract/protocol/processor-accounts.ts';
import { type AdapterParts, defineAdapter } from '../../src/processors/port/define-adapter.ts';
import type { WireRequest } from '../../src/processors/port/message.ts';
import type { AccountSettings, ProcessorMetadata } from '../../src/processors/port/metadata.ts';
import type { Notifications } from '../../src/processors/port/notifications.ts';
import type { Processor } from '../../src/processors/port/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { metadata as networkMetadata } from '../../src/processors/sandbox/metadata.ts';

/** An id that no attempt has. */
const NOBODY = '00000000-0000-7000-8000-000000000000';

const metadata: ProcessorMetadata = {
  ...networkMetadata,
  name: 'example',
  display_name: 'Example Pay',
  networks: cardNetworks.map(({ brand }) => brand),
  refused_currencies: ['IDR'],
  fields: [
    { name: 'origin', label: 'Address', help: 'Where messages go.', secret: false, required: true },
    { name: 'api_key', label: 'API key', help: 'From the console.', secret: true, required: true },
  ],
};

const network = ({ settings }: AccountSettings) =>
  createSandboxProcessor({ simulatorUrl: settings.origin as string });

const login: Login = { headers: { authorization: { prefix: 'Bearer ', secret: 'api_key' } } };

/** Adds the account's key, which only the vault can read. */
const withKey = <Request extends WireRequest>(
  { id }: AccountSettings,
  request: Request,
): Request => ({
  ...request,
  credentials: { account_id: id, ...login },
});

const anyNetwork: Processor & ReturnType<typeof network> = createSandboxProcessor({
  simulatorUrl: 'http://127.0.0.1:1',
});

const parts: AdapterParts = {
  metadata,
  origins: ({ settings }) => [settings.origin as string],
  egress: ({ settings }) => egressOf(settings.origin as string),
  mapRequest: {
    authorise: (account, input) => withKey(account, network(account).authorise.mapRequest(input)),
    reverse: (account, input) => withKey(account, network(account).reverse.mapRequest(input)),
    capture: (account, input) => withKey(account, network(account).capture.send.mapRequest(input)),
    refund: (account, input) => withKey(account, network(account).refund.send.mapRequest(input)),
    inquire: (account, input) => withKey(account, network(account).inquire.mapRequest(input)),
    inquireCapture: (account, input) =>
      withKey(account, network(account).capture.inquire.mapRequest(input)),
    inquireRefund: (account, input) =>
      withKey(account, network(account).refund.inquire.mapRequest(input)),
    check: (account) =>
      withKey(account, {
        method: 'GET',
        url: `${account.settings.origin}${networkPaths.authorisations}/${NOBODY}`,
        headers: {},
        timeout_ms: 2_000,
      }),
  },
  mapAnswer: {
    authorise(answer, expected) {
      const result = anyNetwork.authorise.mapAnswer(answer, expected);
      return result.result === 'approved'
        ? { ...result, processor_reference: `psp-${expected}`, codes: { response: '00' } }
        : result;
    },
    reverse: anyNetwork.reverse.mapAnswer,
    capture: anyNetwork.capture.send.mapAnswer,
    refund: anyNetwork.refund.send.mapAnswer,
    inquire: anyNetwork.inquire.mapAnswer,
    inquireCapture: anyNetwork.capture.inquire.mapAnswer,
    inquireRefund: anyNetwork.refund.inquire.mapAnswer,
    check(answer) {
      if (answer.outcome === 'not_sent') return { result: 'not_sent', why: answer.why };
      if (answer.outcome === 'lost') return { result: 'unknown', why: answer.why };
      return answer.status === 404
        ? { result: 'accepted' }
        : { result: 'refused', why: `it answered ${answer.status}` };
    },
  },
};

const { authorisations, reverse, refundsOf, refunds, capturesOf, captures } = networkPaths;

/** Messages to the network that an account may send. */
const egressOf = (origin: string): readonly EgressRule[] => [
  {
    origin,
    method: 'POST',
    path: authorisations,
    card_fields: {
      '/card/number': 'pan',
      '/card/expiry_month': 'expiry_month',
      '/card/expiry_year': 'expiry_year',
      '/card/cvv': 'cvv',
      '/wallet/cryptogram': 'cryptogram',
      '/wallet/eci': 'eci',
    },
    login,
    headers: ['idempotency-key'],
  },
  ...[reverse('*'), refundsOf('*'), capturesOf('*')].map(
    (path): EgressRule => ({ origin, method: 'POST', path }),
  ),
  ...[authorisations, refunds, captures].map(
    (path): EgressRule => ({ origin, method: 'GET', path: `${path}/*` }),
  ),
];

/** A processor with accounts, which speaks the protocol of the simulated network. */
export const exampleAdapter = defineAdapter(parts);

/** The same with authorisations that never capture: each approval needs a second message. */
export const twoStepAdapter = defineAdapter({
  ...parts,
  metadata: {
    ...metadata,
    name: 'two_step',
    capabilities: { ...metadata.capabilities, direct_capture: false },
  },
  mapRequest: {
    ...parts.mapRequest,
    authorise: (account, input) =>
      parts.mapRequest.authorise(account, { ...input, capture: false }),
  },
});

/** Notifications whose body is a list of facts, signed with HMAC-SHA256 in a header. */
const plainNotifications: Notifications = {
  secrets: ['signing_key'],
  acknowledgement: '[accepted]',
  signaturesOf({ headers, body }) {
    const signature = headers['x-signature'];
    if (!signature) return undefined;
    return [
      {
        secrets: ['signing_key'],
        check: {
          kind: 'hmac_sha256',
          key_encoding: 'utf8',
          payload: Buffer.from(body).toString('base64'),
          payload_encoding: 'base64',
          signature,
          signature_encoding: 'hex',
        },
      },
    ];
  },
  readFacts: ({ body }) => JSON.parse(new TextDecoder().decode(body)),
};

const signingKey = {
  name: 'signing_key',
  label: 'Key',
  help: 'Signs.',
  secret: true,
  required: false,
} as const;

const { inquire: _request, inquireRefund: _refund, ...requestsWithoutInquiry } = parts.mapRequest;

/** A processor that answers no inquiries about authorisations and refunds: only notifications tell outcomes. */
export const notifyingAdapter = defineAdapter({
  ...parts,
  metadata: {
    ...metadata,
    name: 'notifying',
    fields: [...metadata.fields, signingKey],
  },
  mapRequest: requestsWithoutInquiry,
  notifications: plainNotifications,
});

/** Adds the advice that allows another processor to declines. */
const withAdvice = <Result extends { readonly result: string }>(result: Result): Result =>
  result.result === 'declined' ? { ...result, advice: 'try_another_processor' } : result;

/** A processor whose declines allow another one. Inquiries and notifications tell outcomes. */
export const advisingAdapter = defineAdapter({
  ...parts,
  metadata: {
    ...metadata,
    name: 'advising',
    fields: [...metadata.fields, signingKey],
  },
  mapAnswer: {
    ...parts.mapAnswer,
    authorise: (answer, expected) => withAdvice(parts.mapAnswer.authorise(answer, expected)),
    inquire: (answer, expected) => withAdvice(anyNetwork.inquire.mapAnswer(answer, expected)),
  },
  notifications: plainNotifications,
});

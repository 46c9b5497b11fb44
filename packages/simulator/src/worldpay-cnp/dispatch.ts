import type { StandInAnswer } from '../stand-in/answer.ts';
import { commitRequest } from '../stand-in/commit-request.ts';
import type { StandInRequest } from '../stand-in/transport.ts';
import { type CnpAccount, loginKeyOf } from './accounts.ts';
import { invalidXml, responseOf, schemaError, wrongLogin, xmlAnswer } from './answers.ts';
import type { CnpOrder, CnpServices } from './call.ts';
import { cardKeyOf, storePayment } from './decide-payment.ts';
import { parentOf, storeFollowUp } from './follow-ups.ts';
import { schemaProblemOf } from './message-schema.ts';
import { answerQuery, shown } from './query.ts';
import { type CnpTransaction, type CnpType, isApproved } from './transaction-books.ts';
import { childOf, textAt, type XmlElement } from './xml-element.ts';

export const ONLINE_PATH = '/communicator/online';
/** Longest message that Worldpay accepts, in characters. */
const MESSAGE_CHARS_MAX = 20_000;

/** Serves online messages: validates, authenticates, finds duplicates, and runs the transaction. */
export function createCnpDispatch(
  services: CnpServices,
): (request: StandInRequest) => Promise<StandInAnswer> {
  return async (request) => {
    if (request.path !== ONLINE_PATH) return { status: 404 };
    if (request.method !== 'POST') return { status: 405 };
    const message = request.body as XmlElement | undefined;
    if (!message) return invalidXml;
    if (Number(request.headers['content-length'] ?? 0) > MESSAGE_CHARS_MAX)
      return xmlAnswer({}, '5', 'Objectionable content detected. Contact support.');
    const account = accountOf(services, message);
    if (!account) return wrongLogin;
    const problem = schemaProblemOf(message);
    if (problem !== undefined) return schemaError(problem);
    const element = message.children[1] as XmlElement;
    return commitRequest(services.books, request, () =>
      element.name === 'queryTransaction'
        ? answerQuery(services, { account, element })
        : run(services, {
            account,
            element,
            type: element.name as CnpType,
            decline: request.decline,
          }),
    );
  };
}

function accountOf({ books }: CnpServices, message: XmlElement): CnpAccount | undefined {
  const authentication = childOf(message, 'authentication');
  const account = books.accounts.find(message.attributes.merchantId ?? '');
  if (!authentication || !account || books.accounts.areKeysRefused(account.name)) return undefined;
  const [user = '', password = ''] = ['user', 'password'].map((name) =>
    textAt(authentication, name),
  );
  return loginKeyOf(user, password) === account.keyHash ? account : undefined;
}

const isPayment = (type: CnpType): boolean => type === 'authorization' || type === 'sale';

function run(services: CnpServices, order: CnpOrder): StandInAnswer {
  const duplicate = duplicateOf(services, order);
  if (duplicate) return answerWith(responseOf(duplicate, '251'));
  const transaction = isPayment(order.type)
    ? storePayment(services, order)
    : storeFollowUp(services, order);
  return answerWith(shown(services, order.account, transaction));
}

const answerWith = ([name, content]: ReturnType<typeof responseOf>): StandInAnswer =>
  xmlAnswer({ [name]: content });

/** An approved transaction of the same type, id and card. Authorisations are not compared. */
function duplicateOf(services: CnpServices, order: CnpOrder): CnpTransaction | undefined {
  const { account, element, type } = order;
  if (type === 'authorization') return undefined;
  const card =
    type === 'sale'
      ? cardKeyOf(services, textAt(element, 'card', 'number') ?? '')
      : parentOf(services, order)?.card;
  const since = services.now() - account.settings.duplicate_ms;
  return services.books.transactions
    .withId(account.name, element.attributes.id ?? '')
    .find(
      (each) =>
        each.type === type && each.card === card && each.requestedAt >= since && isApproved(each),
    );
}

/** Path by which faults select a message: its transaction and id, as in `/sale/0190f3c2-…`. */
export function cnpFaultPathOf({ path, body }: StandInRequest): string {
  const element = (body as XmlElement | undefined)?.children?.[1];
  return element ? `/${element.name}/${element.attributes.id ?? ''}` : path;
}

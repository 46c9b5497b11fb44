import { childOf, type XmlElement } from './xml-element.ts';

/** Rule of an element: its text, or its children in the order of the schema. */
type Rule =
  | RegExp
  | {
      readonly children: Readonly<Record<string, Rule>>;
      readonly required: readonly string[];
      readonly isOrdered: boolean;
    };

const textUpTo = (length: number): RegExp => new RegExp(`^[\\s\\S]{0,${length}}$`, 'u');
const AMOUNT = /^\d{1,12}$/;
const CNP_ID = /^\d{1,19}$/;
const ID = /^\S[\s\S]{0,35}$/;
const BASE64 = /^[A-Za-z0-9+/]{1,680}={0,2}$/;
const LINE = textUpTo(35);

const inOrder = (children: Readonly<Record<string, Rule>>, required: readonly string[]): Rule => ({
  children,
  required,
  isOrdered: true,
});
const inAnyOrder = (
  children: Readonly<Record<string, Rule>>,
  required: readonly string[],
): Rule => ({
  children,
  required,
  isOrdered: false,
});

const address = inAnyOrder(
  {
    name: textUpTo(100),
    addressLine1: LINE,
    addressLine2: LINE,
    addressLine3: LINE,
    city: LINE,
    state: textUpTo(30),
    zip: textUpTo(20),
    country: /^(?:USA|(?!XK)[A-Z]{2})$/,
    email: textUpTo(100),
    phone: textUpTo(20),
  },
  [],
);

const payment = inOrder(
  {
    orderId: textUpTo(256),
    amount: AMOUNT,
    orderSource:
      /^(?:ecommerce|installment|mailorder|recurring|retail|telephone|3dsAuthenticated|3dsAttempted|applepay|androidpay)$/,
    billToAddress: address,
    shipToAddress: address,
    card: inOrder(
      {
        type: /^(?:VI|MC|AX|DI|DC|JC|)$/,
        number: /^[\s\S]{13,25}$/,
        expDate: /^[\s\S]{4}$/,
        cardValidationNum: textUpTo(4),
      },
      ['type', 'number'],
    ),
    cardholderAuthentication: inAnyOrder(
      {
        authenticationValue: BASE64,
        authenticationTransactionId: textUpTo(36),
        customerIpAddress: /^[A-Za-z0-9 :.,]{0,100}$/,
        authenticationProtocolVersion: /^[12]$/,
      },
      [],
    ),
    customBilling: inOrder({ descriptor: /^[A-Za-z0-9 *,\-'#&.]{4,25}$/ }, []),
    allowPartialAuth: /^(?:true|false|0|1)$/,
    processingType:
      /^(?:initialRecurring|initialInstallment|initialCOF|merchantInitiatedCOF|cardholderInitiatedCOF|accountFunding)$/,
    originalNetworkTransactionId: textUpTo(30),
    originalTransactionAmount: AMOUNT,
  },
  ['orderId', 'amount', 'orderSource', 'card'],
);

/** Transactions that the stand-in knows: the part of the official schema that cards need. */
const transactions: Readonly<Record<string, Rule>> = {
  authorization: payment,
  sale: payment,
  capture: inAnyOrder({ cnpTxnId: CNP_ID, amount: AMOUNT }, ['cnpTxnId']),
  credit: inOrder({ cnpTxnId: CNP_ID, orderId: textUpTo(256), amount: AMOUNT }, ['cnpTxnId']),
  authReversal: inAnyOrder({ cnpTxnId: CNP_ID, amount: AMOUNT }, ['cnpTxnId']),
  void: inAnyOrder({ cnpTxnId: CNP_ID }, ['cnpTxnId']),
  queryTransaction: inOrder(
    {
      origId: ID,
      origActionType: /^(?:A|D|R|AR|S|V)$/,
      origCnpTxnId: CNP_ID,
      showStatusOnly: /^[YN]$/,
    },
    [],
  ),
};

const login = inOrder({ user: textUpTo(20), password: textUpTo(20) }, ['user', 'password']);
const NAMESPACE = 'http://www.vantivcnp.com/schema';

/** The first difference to the schema, with its element. Undefined for a valid message. */
export function schemaProblemOf({ name, attributes, children }: XmlElement): string | undefined {
  if (name !== 'cnpOnlineRequest') return `${name} is not cnpOnlineRequest`;
  if (attributes.xmlns !== NAMESPACE) return 'the namespace is wrong';
  if (!attributes.merchantId || !attributes.version) return 'merchantId and version are required';
  const [authentication, transaction, ...more] = children;
  if (authentication?.name !== 'authentication' || !transaction || more.length)
    return 'one authentication and one transaction are required';
  const rule = Object.hasOwn(transactions, transaction.name) && transactions[transaction.name];
  if (!rule) return `${transaction.name} is not expected`;
  const { id = '', reportGroup = '', customerId = '' } = transaction.attributes;
  if (!ID.test(id) || !/^\S[\s\S]{0,24}$/.test(reportGroup) || customerId.length > 50)
    return `${transaction.name} has a wrong attribute`;
  return problemOf(authentication, login) ?? problemOf(transaction, rule);
}

function problemOf(element: XmlElement, rule: Rule): string | undefined {
  if (rule instanceof RegExp) {
    const isText = element.children.length === 0 && rule.test(element.text);
    return isText ? undefined : `${element.name} is not valid`;
  }
  const names = Object.keys(rule.children);
  const positions = element.children.map(({ name }) => names.indexOf(name));
  const isExpected = positions.every(
    (position, at) =>
      position >= 0 &&
      (rule.isOrdered ? position > (positions[at - 1] ?? -1) : positions.indexOf(position) === at),
  );
  if (!isExpected) return `${element.name} has an element that is not expected`;
  const missing = rule.required.find((name) => !childOf(element, name));
  if (missing) return `${element.name} lacks ${missing}`;
  for (const child of element.children) {
    const problem = problemOf(child, rule.children[child.name] as Rule);
    if (problem) return problem;
  }
  return undefined;
}

/** Names of the refusal reason codes. Codes 1, 13 and 30 are no refusals. */
const namesByCode: Readonly<Record<string, string>> = {
  '0': 'Unknown',
  '2': 'Refused',
  '3': 'Referral',
  '4': 'Acquirer Error',
  '5': 'Blocked Card',
  '6': 'Expired Card',
  '7': 'Invalid Amount',
  '8': 'Invalid Card Number',
  '9': 'Issuer Unavailable',
  '10': 'Not supported',
  '11': '3D Not Authenticated',
  '12': 'Not enough balance',
  '14': 'Acquirer Fraud',
  '15': 'Cancelled',
  '16': 'Shopper Cancelled',
  '17': 'Invalid Pin',
  '18': 'Pin tries exceeded',
  '19': 'Pin validation not possible',
  '20': 'FRAUD',
  '21': 'Not Submitted',
  '22': 'FRAUD-CANCELLED',
  '23': 'Transaction Not Permitted',
  '24': 'CVC Declined',
  '25': 'Restricted Card',
  '26': 'Revocation Of Auth',
  '27': 'Declined Non Generic',
  '28': 'Withdrawal amount exceeded',
  '29': 'Withdrawal count exceeded',
  '31': 'Issuer Suspected Fraud',
  '32': 'AVS Declined',
  '38': 'Authentication required',
  '39': 'RReq not received from DS',
  '42': '3DS Authentication Error',
  '46': 'Blocked by Adyen to prevent excessive retry fees',
};

/** Name of a refusal reason code; `Refused` for codes without a name here. */
export const refusalReasonOf = (code: string): string => namesByCode[code] ?? 'Refused';

/** Whether a code names a refusal, or asks for a result of its own: 1, 13 and 30. */
export const isKnownReasonCode = (code: string): boolean =>
  code in namesByCode || ['1', '13', '30'].includes(code);

/** Codes and texts of the issuer in `refusalReasonRaw`, by response code of the simulated network. */
const rawByNetworkCode: Readonly<Record<string, readonly [code: string, raw: string]>> = {
  '05': ['2', '05 : Do not honor'],
  '14': ['8', '14 : Invalid card number'],
  '41': ['5', '41 : Lost card'],
  '43': ['5', '43 : Stolen card'],
  '51': ['12', '51 : Insufficient funds'],
  '54': ['6', '54 : Expired card'],
  '59': ['20', '59 : Suspected fraud'],
  '62': ['25', '62 : Restricted card'],
  N7: ['24', 'N7 : CVV2 mismatch'],
  '1A': ['11', '1A : Authentication required'],
};

/** Refusal reason code and raw text of the simulated network's response code. */
export const reasonOfNetworkCode = (
  networkCode: string,
): { readonly code: string; readonly raw: string } => {
  const [code, raw] = rawByNetworkCode[networkCode] ?? ['2', `${networkCode} : Declined`];
  return { code, raw };
};

/** Response codes of the sandbox cards and amounts, with their summaries. Codes may contain letters. */
const summaries: Readonly<Record<string, string>> = {
  '10000': 'Approved',
  '10010': 'Partial value approved',
  '20005': 'Declined - Do not honour',
  '20014': 'Invalid account number',
  '20033': 'Invalid previous payment',
  '20051': 'Insufficient funds',
  '20054': 'Expired card',
  '20059': 'Suspected fraud',
  '20062': 'Restricted card',
  '20063': 'Security violation',
  '20068': 'Response received too late',
  '20087': 'Invalid CVV or expiry date',
  '20151': 'Cardholder failed authentication',
  '20152': 'Authentication session expired',
  '20154': 'Strong customer authentication required',
  '30015': 'No such issuer',
  '30041': 'Lost card',
  '30043': 'Stolen card',
  '40101': 'Risk blocked transaction',
};

/** Summary of a response code; "Declined" for codes without a text here. */
export const summaryOf = (code: string): string => summaries[code] ?? 'Declined';

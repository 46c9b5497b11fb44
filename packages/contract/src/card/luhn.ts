/** Whether the last digit is the right Luhn check digit (ISO/IEC 7812-1, annex B). */
export function luhnOk(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return false;
    const doubled = digit * 2;
    sum += double ? (doubled > 9 ? doubled - 9 : doubled) : digit;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** The words of proposals about loans, a part of contract/agreements/proposals.ts. */
export const loanProposals = {
  APPROVE_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Approve the loan of {amount} to {borrower}, {fromInvestors} of it investors’ principal',
      any: 'approve a loan',
    },
    es: {
      one: 'Aprobar el préstamo de {amount} a {borrower}, de ellos {fromInvestors} del principal de los inversores',
      any: 'aprobar un préstamo',
    },
  },
  DISBURSE_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Disburse {amount} to {borrower}, {fromInvestors} of it investors’ principal, on {networkName}: {evidence}, on {disbursedOn}',
      any: 'disburse a loan',
    },
    es: {
      one: 'Desembolsar {amount} a {borrower}, de ellos {fromInvestors} del principal de los inversores, en {networkName}: {evidence}, el {disbursedOn}',
      any: 'desembolsar un préstamo',
    },
  },
  SEND_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Send {amount} to {borrower} by a batch, {fromInvestors} of it investors’ principal, on {networkName}: {address}',
      any: 'send a loan by a batch',
    },
    es: {
      one: 'Enviar {amount} a {borrower} en un lote, de ellos {fromInvestors} del principal de los inversores, en {networkName}: {address}',
      any: 'enviar un préstamo en un lote',
    },
  },
  REPAY_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Record a repayment of {amount} by {borrower} on {valueOn}: {reference}',
      any: 'record a repayment',
    },
    es: {
      one: 'Registrar un pago de {amount} de {borrower} el {valueOn}: {reference}',
      any: 'registrar un pago',
    },
  },
  REVERSE_REPAYMENT: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Reverse the repayment of {amount} by {borrower} on {valueOn}: {reference}',
      any: 'reverse a repayment',
    },
    es: {
      one: 'Anular el pago de {amount} de {borrower} del {valueOn}: {reference}',
      any: 'anular un pago',
    },
  },
  RECOUNT_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Place {count} later repayments by {borrower} anew, {amount} in all, the oldest open instalment first',
      any: 'place later repayments anew',
    },
    es: {
      one: 'Volver a asignar {count} pagos posteriores de {borrower}, {amount} en total, primero a la cuota abierta más antigua',
      any: 'volver a asignar los pagos posteriores',
    },
  },
  IMPORT_REPAYMENTS: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Record a file of {lines} repayments, {amount} in all, SHA-256 {sha256}',
      any: 'record a file of repayments',
    },
    es: {
      one: 'Registrar un archivo de {lines} pagos, {amount} en total, SHA-256 {sha256}',
      any: 'registrar un archivo de pagos',
    },
  },
  RELEASE_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Free the {amount} that are reserved for {borrower}. No batch pays the loan then',
      any: 'free the money of a loan',
    },
    es: {
      one: 'Liberar los {amount} reservados para {borrower}. Ningún lote pagará entonces el préstamo',
      any: 'liberar el dinero de un préstamo',
    },
  },
  DEFAULT_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Put the loan to {borrower} in default, which owes {amount}',
      any: 'put a loan in default',
    },
    es: {
      one: 'Declarar en impago el préstamo a {borrower}, que debe {amount}',
      any: 'declarar un préstamo en impago',
    },
  },
  WRITE_OFF_LOAN: {
    subject: 'loan',
    en: {
      one: 'Write off {amount} of the loan to {borrower}, which {fromInvestors} of investors’ principal funds',
      any: 'write off a loan',
    },
    es: {
      one: 'Dar por perdidos {amount} del préstamo a {borrower}, con {fromInvestors} del principal de los inversores',
      any: 'dar por perdido un préstamo',
    },
  },
  RECOVER_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'Record {amount} that came back of the loan to {borrower} on {valueOn}: {reference}',
      any: 'record a recovery of a loan',
    },
    es: {
      one: 'Registrar {amount} que volvieron del préstamo a {borrower} el {valueOn}: {reference}',
      any: 'registrar una recuperación de un préstamo',
    },
  },
  RESTRUCTURE_LOAN: {
    subject: 'loan',
    byStaff: true,
    en: {
      one: 'New terms for the loan to {borrower}, which owes {amount}: {instalments} instalments at {rate} a year, the first on {firstDueOn}',
      any: 'give a loan new terms',
    },
    es: {
      one: 'Condiciones nuevas para el préstamo a {borrower}, que debe {amount}: {instalments} cuotas al {rate} anual, la primera el {firstDueOn}',
      any: 'dar condiciones nuevas a un préstamo',
    },
  },
} as const

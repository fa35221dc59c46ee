/** The words of proposals about the end of the pool, a part of contract/agreements/proposals.ts. */
export const windDownKinds = {
  WIND_DOWN: {
    en: {
      one: 'Wind the pool down: no new money, and everybody is told',
      any: 'wind the pool down',
    },
    es: {
      one: 'Liquidar el fondo: sin dinero nuevo, y se avisa a todos',
      any: 'liquidar el fondo',
    },
  },
  END_WIND_DOWN: {
    en: { one: 'Call the wind-down off', any: 'call the wind-down off' },
    es: { one: 'Cancelar la liquidación', any: 'cancelar la liquidación' },
  },
  WITHDRAW_CAPITAL: {
    en: {
      one: 'Take {amount} of the operator’s capital out of the reserve. Repayments that you both confirm: {count}, {repaid}',
      any: 'take out capital of the operator',
    },
    es: {
      one: 'Retirar {amount} del capital del operador de la reserva. Reembolsos que ambos confirmáis: {count}, {repaid}',
      any: 'retirar capital del operador',
    },
  },
} as const

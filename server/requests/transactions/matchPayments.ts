type ToWallet = { readonly ownerId: string; readonly walletId: string }

/**
 * One payment, one deposit of its wallet (docs/product.md 5.19): the oldest that waits for exactly
 * what came, then the oldest that is left. Both lists begin with the oldest.
 */
export const matchPayments = <
  Payment extends ToWallet,
  Deposit extends ToWallet & { readonly amount: bigint },
>(
  payments: readonly Payment[],
  deposits: readonly Deposit[],
  worthFor: (payment: Payment, deposit: Deposit) => bigint | null,
): ReadonlyMap<Payment, Deposit> => {
  const pays = new Map<Payment, Deposit>()
  const free = new Set(deposits)
  const match = (fits: (payment: Payment, deposit: Deposit) => boolean): void => {
    for (const payment of payments) {
      if (pays.has(payment)) continue
      const deposit = [...free].find(
        (each) =>
          each.ownerId === payment.ownerId &&
          each.walletId === payment.walletId &&
          fits(payment, each),
      )
      if (!deposit) continue
      free.delete(deposit)
      pays.set(payment, deposit)
    }
  }
  match((payment, deposit) => worthFor(payment, deposit) === deposit.amount)
  match(() => true)
  return pays
}

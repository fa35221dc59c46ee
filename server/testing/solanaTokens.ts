/** Tokens of the SPL programs on a play ledger. */
import {
  type Address,
  generateKeyPairSigner,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { PlaySolana } from './solanaServer.ts'

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
/** Bytes of a mint, and of one of Token-2022 that takes a fee of each transfer. */
const MINT_SIZE = 82
const WITH_FEE_SIZE = 278

export type PlayMint = {
  readonly mint: Address
  /** Makes the receiver's account where it has none, and sends it units. */
  readonly instructionsTo: (receiver: string, units: bigint) => Promise<Instruction[]>
  /** The same as a transaction of its own. Returns its signature. */
  readonly send: (receiver: string, units: bigint) => Promise<string>
  /** The receiver's account. */
  readonly accountOf: (receiver: string) => Promise<Address>
}

/** Puts a token on the ledger. With a fee, in basis points of a transfer, it is of Token-2022. */
export const playMint = async (
  { ledger: { payer, svm }, send, produce }: PlaySolana,
  decimals: number,
  feeBasisPoints?: number,
): Promise<PlayMint> => {
  const minted = await generateKeyPairSigner()
  const { address: mint } = minted
  const program = feeBasisPoints === undefined ? TOKEN_PROGRAM_ADDRESS : TOKEN_2022
  const size = feeBasisPoints === undefined ? MINT_SIZE : WITH_FEE_SIZE
  const onProgram = { programAddress: program }
  const accountOf = async (receiver: string): Promise<Address> => {
    const owner = receiver as Address
    return (await findAssociatedTokenPda({ owner, mint, tokenProgram: program }))[0]
  }
  const openFor = async (receiver: string): Promise<Instruction> =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: await accountOf(receiver),
      owner: receiver as Address,
      mint,
      tokenProgram: program,
    })
  const source = await accountOf(payer.address)
  const instructionsTo = async (receiver: string, units: bigint): Promise<Instruction[]> => {
    const destination = await accountOf(receiver)
    const transfer = { source, mint, destination, authority: payer, amount: units, decimals }
    return [await openFor(receiver), getTransferCheckedInstruction(transfer, onProgram)]
  }
  await send({
    instructions: [
      getCreateAccountInstruction({
        payer,
        newAccount: minted,
        lamports: svm.minimumBalanceForRentExemption(BigInt(size)),
        space: size,
        programAddress: program,
      }),
      ...(feeBasisPoints === undefined ? [] : [takeFee(minted, feeBasisPoints)]),
      getInitializeMint2Instruction({ mint, decimals, mintAuthority: payer.address }, onProgram),
      await openFor(payer.address),
      getMintToInstruction(
        { mint, token: source, mintAuthority: payer, amount: 10n ** 15n },
        onProgram,
      ),
    ],
  })
  produce()
  return {
    mint,
    accountOf,
    instructionsTo,
    send: async (receiver, units) => send({ instructions: await instructionsTo(receiver, units) }),
  }
}

/** `InitializeTransferFeeConfig` without authorities, and with a fee that has no upper bound. */
const takeFee = ({ address }: TransactionSigner, basisPoints: number): Instruction => {
  const data = new DataView(new ArrayBuffer(14))
  data.setUint8(0, 26)
  data.setUint16(4, basisPoints, true)
  data.setBigUint64(6, 10n ** 18n, true)
  return {
    programAddress: TOKEN_2022,
    accounts: [{ address, role: 1 }],
    data: new Uint8Array(data.buffer),
  }
}

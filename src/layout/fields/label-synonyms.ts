/**
 * The notions the rules know by name, and how documents call them: a line each in English, German, French, Spanish, Italian
 * and Dutch. Written as `normalizeLabel` leaves a label: lower case, no accents, no punctuation, no currencies, no rates.
 */

/** What a notion's value must look like. */
export type NotionType =
  | "date"
  | "amount"
  | "code"
  | "bic"
  | "currency"
  | "text"
  | "iban"
  | "vat_id"
  | "phone"
  | "email"
  | "url";

export interface Notion {
  type: NotionType;
  /** From the most telling to the least: where two labels fit, the earlier group wins. */
  groups: readonly string[];
}

export const notions = {
  invoice_number: {
    type: "code",
    groups: [
      `invoice number, invoice no, invoice nr, invoice id, inv no, tax invoice no, tax invoice number, bill no, bill number
       rechnungsnummer, rechnungsnr, rechnung nr, rechnungs nr, rechnung no, belegnummer, beleg nr, gutschrift nr
       numero de facture, no de facture, facture no, no facture, num facture, facture numero
       numero de factura, no de factura, factura no, factura num, factura n, num factura
       numero fattura, fattura n, fattura no, n fattura, no fattura, fattura numero
       factuurnummer, factuurnr, factuur nr`,
      `invoice, receipt no, receipt number, document no, document number, doc no, bill, slip, slip no, trans, transaction no, txn
       rechnung, bon nr, facture, factura, fattura, factuur, bonnummer`,
    ],
  },
  invoice_date: {
    type: "date",
    groups: [
      `invoice date, date of invoice, inv date, bill date, issue date, date of issue, date issued, invoice dated
       rechnungsdatum, datum der rechnung, ausstellungsdatum, belegdatum, rechnung vom
       date de facture, date de la facture, date facture, date de facturation, date d emission, facture du
       fecha de factura, fecha factura, fecha de la factura, fecha de emision, fecha de expedicion
       data fattura, data della fattura, data di emissione, data emissione
       factuurdatum, datum factuur`,
    ],
  },
  due_date: {
    type: "date",
    groups: [
      `due date, date due, payment due, payment due date, due on, due by, pay by, please pay by, please remit until, payable by
       falligkeit, fallig am, fallig bis, falligkeitsdatum, zahlungsziel, zahlbar bis, faellig am
       date d echeance, echeance, date limite de paiement, date limite de paiement le, a payer avant le, payable le
       fecha de vencimiento, vencimiento
       data di scadenza, data scadenza, scadenza, scadenza pagamento
       vervaldatum, uiterste betaaldatum, te betalen voor`,
    ],
  },
  delivery_date: {
    type: "date",
    groups: [
      `delivery date, date of delivery, date of supply, ship date, service date
       lieferdatum, leistungsdatum, liefer und leistungsdatum, liefer bzw leistungsdatum, liefer leistungsdatum
       date de livraison, fecha de entrega, data di consegna, data consegna, leverdatum`,
    ],
  },
  order_number: {
    type: "code",
    groups: [
      `order number, order no, order id, purchase order, purchase order no, po number, po no, p o no, your order, booking id
       bestellnummer, bestellung, bestell nr, auftragsnummer, auftrag nr
       numero de commande, no de commande, commande no, numero de pedido, no de pedido, pedido
       numero ordine, ordine n, ordernummer, bestelnummer`,
    ],
  },
  order_date: {
    type: "date",
    groups: [
      `order date, date of order, bestelldatum, auftragsdatum, date de commande, fecha de pedido, data ordine, orderdatum, besteldatum`,
    ],
  },
  customer_number: {
    type: "code",
    groups: [
      `customer number, customer no, customer id, customer, client no, client id, account number, account no
       kundennummer, kundennr, kunden nr, kd nr
       numero client, no client, numero de client, id client, code client
       numero de cliente, no cliente, codice cliente, klantnummer, klantnr, debiteurnummer`,
    ],
  },
  total: {
    type: "amount",
    groups: [
      `grand total, total rounded, rounded total, total after rounding, invoice total, total invoice, total for this invoice
       total incl gst, total including gst, total inclusive gst, total inclusive of gst, total inc gst, nett total
       total incl vat, total including vat, total inc vat, total incl tax, total including tax, total inclusive
       total sales inclusive of gst, total sales inclusive gst, total sales incl gst, total sales incl tax
       total amount incl gst, total amount including gst, total amount inclusive of gst, total amt incl gst
       total payable, total amount payable, order total, gross total, total gross, gross amount
       gesamtbetrag, gesamtsumme, rechnungsbetrag, bruttosumme, bruttobetrag, gesamt brutto, summe brutto, endbetrag, endsumme
       rechnungssumme, gesamtbetrag brutto, rechnungsgesamtbetrag, gesamtbetrag inkl mwst
       total ttc, montant ttc, montant total ttc, total facture, total toutes taxes comprises, total general, net ttc
       importe total, total factura, total con iva, total iva incluido
       totale fattura, totale documento, totale complessivo, totale ivato, totale iva inclusa
       totaal incl btw, totaal inclusief btw, totaalbedrag, factuurbedrag, totaal te betalen, eindtotaal`,
      `total, total amount, total amt, total due, total sales, total price, total cost, total charge, total charges, bill total
       amount total, sum total, gesamt, summe, zu zahlen, total a payer, montant total, total a pagar
       totale, totale da pagare, totaal, jumlah, jumlah besar`,
    ],
  },
  amount_due: {
    type: "amount",
    groups: [
      `amount due, total amount due, total amount due on, balance due, amount payable, due payable, payable, please pay, balance
       outstanding balance, amount to pay
       zahlbetrag, zu zahlender betrag, offener betrag, falliger betrag, restbetrag, zahlungsbetrag
       solde a payer, net a payer, montant a payer, reste a payer, somme a payer, solde du, montant du
       importe a pagar, saldo pendiente, importo da pagare, netto a pagare, importo dovuto, saldo
       te betalen, openstaand bedrag, nog te betalen`,
    ],
  },
  subtotal: {
    type: "amount",
    groups: [
      `subtotal, sub total, net total, net amount, total net, total excl gst, total excluding gst, total excl vat, total excluding vat
       total excl tax, total excluding tax, total sales excluding gst, total sales excl gst, total amt excl gst
       amount excl gst, amt excl gst, total before tax, amount before tax, taxable amount
       zwischensumme, nettobetrag, summe netto, nettosumme, netto, gesamt netto, rechnungssumme ohne ust, gesamtbetrag netto, warenwert
       total ht, montant ht, sous total, montant total ht, total hors taxes, net ht, total hors tva
       base imponible, subtotal sin iva, total sin iva
       imponibile, totale imponibile, subtotale, totale netto, totale iva esclusa
       subtotaal, exclusief btw, totaal excl btw, totaal exclusief btw, excl btw`,
    ],
  },
  tax: {
    type: "amount",
    groups: [
      `total tax, tax total, vat total, total vat, total gst, gst total, gst amount, vat amount, tax amount, total sales tax
       steuerbetrag, summe umsatzsteuer, mwst betrag, summe mwst, umsatzsteuerbetrag
       total taxes, total tva, montant tva, montant de la tva
       total iva, importe iva, cuota iva, totale iva, importo iva, totale imposta, totaal btw, btw bedrag`,
      `tax, vat, gst, sst, hst, sales tax, service tax, incl gst, plus vat
       mwst, ust, umsatzsteuer, mehrwertsteuer, zzgl mwst, zzgl ust, zzgl umsatzsteuer, enthaltene mwst, tva, iva, i v a, btw`,
    ],
  },
  discount: {
    type: "amount",
    groups: [`discount, total discount, less discount, rabatt, remise, descuento, sconto, korting`],
  },
  rounding: {
    type: "amount",
    groups: [
      `rounding, rounding adj, rounding adjustment, rounding adjusment, round off, rounding off, bill rounding
       rundung, arrondi, redondeo, arrotondamento, afronding`,
    ],
  },
  paid: {
    type: "amount",
    groups: [
      `cash, cash tendered, cash received, cash paid, tendered, amount tendered, amount paid, paid, payment
       visa, visa card, mastercard, credit card, debit card, card
       bar, gegeben, bezahlt, erhaltene anzahlungen, anzahlung, ec karte
       especes, carte, carte bancaire, paye, acompte, efectivo, tarjeta, pagado, contanti, pagato, acconto
       contant, betaald, pin, tunai`,
    ],
  },
  change: {
    type: "amount",
    groups: [
      `change, change due, cash change, ruckgeld, wechselgeld, zuruck, rendu, monnaie rendue, monnaie
       cambio, resto, wisselgeld, terug, baki`,
    ],
  },
  currency: {
    type: "currency",
    groups: [`currency, invoice currency, wahrung, rechnungswahrung, devise, moneda, divisa, valuta`],
  },
  seller: {
    type: "text",
    groups: [
      `seller, vendor, supplier, sold by, service provider, issued by, bill from, invoice from
       verkaufer, lieferant, rechnungssteller, leistungserbringer
       vendeur, fournisseur, emetteur, vendedor, proveedor, emisor
       venditore, fornitore, cedente, cedente prestatore, verkoper, leverancier`,
    ],
  },
  buyer: {
    type: "text",
    groups: [
      `buyer, bill to, billed to, bill to address, billing address, invoice to, sold to, customer name, guest name, client
       kaufer, kaufer leistungsempfanger, leistungsempfanger, rechnungsempfanger, rechnungsadresse, rechnungsanschrift, rechnung an
       acheteur, facture a, adresse de facturation, comprador, facturar a, factura a, cliente
       acquirente, cessionario, cessionario committente, koper, factuuradres, afnemer`,
    ],
  },
  name: {
    type: "text",
    groups: [
      `name, company name, firma, nom, raison sociale, nombre, razon social, nome, ragione sociale, denominazione, naam`,
    ],
  },
  address: {
    type: "text",
    groups: [
      `address, mailing address, street address, home address, delivery address, shipping address, ship to, deliver to
       anschrift, adresse, lieferadresse, lieferanschrift, adresse de livraison
       direccion, domicilio, indirizzo, adres, afleveradres`,
    ],
  },
  date: {
    type: "date",
    groups: [
      `date, dated, date time, receipt date, transaction date, trans date, datum, fecha, data, tarikh, bon datum`,
    ],
  },
  iban: { type: "iban", groups: [`iban, iban nr, iban no, iban code`] },
  bic: { type: "bic", groups: [`bic, swift, swift bic, bic swift, swift code, bic code`] },
  vat_id: {
    type: "vat_id",
    groups: [
      `vat id, vat no, vat number, vat reg no, vat registration no, vat registration number, vat
       ust id, ust idnr, ust id nr, ustid, ustidnr, umsatzsteuer id, umsatzsteuer identifikationsnummer, mwst nr, uid, uid nr
       tva, no tva, no de tva, numero de tva, tva intracommunautaire, no tva intra
       no tva intracommunautaire, no de tva intracommunautaire, tva intra communautaire, no de tva intra communautaire
       nif, cif, nif iva, partita iva, p iva, piva, btw, btw nummer, btw nr, btw id`,
    ],
  },
  tax_number: {
    type: "code",
    groups: [
      `gst id, gst no, gst reg no, gst registration no, gst id no, gst number, gstin, sst no, sst id, tax id, tax no, tax number
       ein, abn, steuernummer, steuer nr, st nr, siret, siren, codice fiscale`,
    ],
  },
  phone: {
    type: "phone",
    groups: [
      `tel, phone, telephone, telephone no, tel no, phone no, phone number, mobile, mobile no, h p, hp, contact no
       telefon, mobil, portable, telefono, movil, cellulare, telefoon`,
    ],
  },
  fax: { type: "phone", groups: [`fax, fax no, fax number, telefax, facsimile, telecopie, fax nr`] },
  email: {
    type: "email",
    groups: [`email, e mail, mail, email address, correo, correo electronico, courriel, posta elettronica`],
  },
  website: {
    type: "url",
    groups: [`website, web, www, url, internet, im internet, homepage, site web, sito web, sitio web`],
  },
} as const satisfies Record<string, Notion>;

export type NotionName = keyof typeof notions;

/** Words that begin a remark, a reference or an instruction before a colon, and no field. */
export const remarkWords: ReadonlySet<string> = new Set(
  `note notes nb example examples eg ie warning caution important tip hint remark see also figure fig table chapter section
   appendix usage syntax output input result http https ftp mailto if when question answer q a step steps source definition
   theorem proof lemma thus therefore however follows following as default returns
   hinweis achtung wichtig beispiel siehe abbildung tabelle kapitel abschnitt
   remarque attention exemple voir tableau chapitre nota aviso ejemplo vease figura tabla capitulo
   esempio vedi tabella capitolo opmerking let voorbeeld zie figuur tabel hoofdstuk`.split(/\s+/),
);

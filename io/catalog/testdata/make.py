#!/usr/bin/env python3
"""Makes the files beside it: python3 make.py, with astropy 8.0 and numpy 2.

All hold the same three stars; wild.fits.gz, varying.fits.gz and ascii.fits.gz have what astropy's tables do not.
"""
import gzip
import io
import warnings

import numpy as np
from astropy import units as u
from astropy.io import fits
from astropy.io.votable import from_table
from astropy.table import MaskedColumn, Table

warnings.simplefilter("ignore")


def stars(unsigned, masked_text=True):
    t = Table()
    t["id"] = np.array([9007199254740993, -2, 3], dtype="i8")
    t["ra"] = np.array([10.684708, 0.1, 359.999], dtype="f8")
    t["dec"] = np.array([41.26875, -90, np.nan], dtype="f8")
    t["mag"] = np.array([0.1, 1.5, -2.25], dtype="f4")
    t["flag"] = np.array([True, False, True])
    t["u8"] = np.array([0, 255, 7], dtype="u1")
    t["i16"] = MaskedColumn(np.array([-32768, 32767, 5], dtype="i2"), mask=[False, False, True])
    t["i32"] = MaskedColumn(np.array([-5, 6, 7], dtype="i4"), mask=[True, False, False])
    if unsigned:
        t["u16"] = np.array([0, 65535, 1], dtype="u2")
        t["u32"] = np.array([0, 4294967295, 1], dtype="u4")
        t["u64"] = np.array([0, 18446744073709551615, 1], dtype="u8")
    t["name"] = np.array(["M 31", "a,b", "it's"])
    t["ra"].unit, t["dec"].unit, t["mag"].unit = u.deg, u.deg, u.mag
    t["ra"].description = "right ascension, ICRS"
    t["ra"].meta["ucd"], t["dec"].meta["ucd"] = "pos.eq.ra;meta.main", "pos.eq.dec;meta.main"
    t["mag"].meta["ucd"] = "phot.mag"
    return t


def pack(path, hdus):
    """Writes FITS, whose blocks are mostly blanks, packed."""
    f = io.BytesIO()
    hdus.writeto(f)
    with open(path, "wb") as g:
        g.write(gzip.compress(f.getvalue(), 9, mtime=0))


def write_fits():
    t = stars(True)
    t["pm"] = np.array([[1, 2], [3, 4], [5, 6]], dtype="f4")
    t["z"] = np.array([1 + 2j, 3j, -1], dtype="c16")
    hdu = fits.table_to_hdu(t)
    hdu.name = "STARS"
    for i, name in enumerate(t.colnames):
        if "ucd" in t[name].meta:
            hdu.header[f"TUCD{i + 1}"] = t[name].meta["ucd"]
        if t[name].description:
            hdu.header[f"TCOMM{i + 1}"] = t[name].description
    image = fits.ImageHDU(np.zeros((3, 5), dtype="i2"), name="IMAGE")
    second = fits.table_to_hdu(Table({"x": np.array([1, 2], dtype="i4")}))
    second.name = "SECOND"
    pack("stars.fits.gz", fits.HDUList([fits.PrimaryHDU(), image, hdu, second]))


def write_wild():
    cols = [
        fits.Column(name="scaled", format="I", null=-1, array=np.array([2, -1], dtype="i2")),
        fits.Column(name="bits", format="11X", array=np.array([[1, 0] * 5 + [1], [0] * 10 + [1]], dtype=bool)),
        fits.Column(name="words", format="6A", dim="(3,2)", array=np.array([["ab", "cde"], ["f", ""]])),
        fits.Column(name="i8", format="B", bzero=-128, array=np.array([-128, 127], dtype="i1")),
        fits.Column(name="empty", format="0J"),
        fits.Column(name="a" * 68, format="J", array=np.array([1, 2]), unit="km s-1 " * 12),
    ]
    hdu = fits.BinTableHDU.from_columns(cols, name="WILD")
    hdu.header["TSCAL1"], hdu.header["TZERO1"] = 0.5, 10.0
    pack("wild.fits.gz", hdu)
    long = fits.BinTableHDU.from_columns([
        fits.Column(name="x", format="J", array=np.array([1, 2])),
        fits.Column(name="spec", format="PE()", array=np.array([[1.0, 2.0], [3.0]], dtype=object)),
        fits.Column(name="words", format="QA()", array=np.array(["ab", "cde"], dtype=object)),
        fits.Column(name="y", format="I", array=np.array([7, 8])),
    ])
    pack("varying.fits.gz", long)


def write_ascii():
    hdu = fits.TableHDU.from_columns([
        fits.Column(name="name", format="A6", array=np.array(["M 31", "a,b", ""])),
        fits.Column(name="n", format="I18", array=np.array([-5, 9007199254740993, 0])),
        fits.Column(name="ra", format="F12.6", unit="deg", array=np.array([10.684708, 0.1, 359.999])),
        fits.Column(name="mag", format="D12.4", array=np.array([0.5, -2.25, 1500])),
    ])
    hdu.header["TUCD3"] = "pos.eq.ra"
    pack("ascii.fits.gz", hdu)


def write_votable():
    t = stars(False)
    t["pm"] = np.array([[1, 2], [3, 4], [5, 6]], dtype="f4")
    for name in "tabledata", "binary", "binary2":
        vot = from_table(t, table_id="STARS")
        for field in vot.get_first_table().fields:
            field.ucd = t[field.name].meta.get("ucd")
            if name == "binary" and field.name in ("i16", "i32"):
                field.values.null = 99
        vot.to_xml("stars_" + name + ".vot", tabledata_format=name)


def write_ecsv():
    stars(True).write("stars.ecsv", overwrite=True)
    stars(True).write("stars_comma.ecsv", delimiter=",", overwrite=True)


write_fits()
write_wild()
write_ascii()
write_votable()
write_ecsv()

"""Writes examples/data/us-real-gdp.csv and tests/smooth/hpfilter-gdp.csv: the series, and statsmodels' trend of it.

Run from the repository's root with statsmodels installed; the recorded files were made with the versions that the
first line of hpfilter-gdp.csv names.
"""
import platform
import statsmodels
import numpy
import scipy
from statsmodels.datasets import macrodata
from statsmodels.tsa.filters.hp_filter import hpfilter

data = macrodata.load_pandas().data
dates = [f"{int(year)}Q{int(quarter)}" for year, quarter in zip(data.year, data.quarter)]
_, trend = hpfilter(data.realgdp, lamb=1600)

with open("examples/data/us-real-gdp.csv", "w", newline="\n") as out:
    out.write("date,realgdp\n")
    out.writelines(f"{date},{value!r}\n" for date, value in zip(dates, data.realgdp.tolist()))

with open("tests/smooth/hpfilter-gdp.csv", "w", newline="\n") as out:
    out.write(f"# statsmodels {statsmodels.__version__} hpfilter(realgdp, lamb=1600), NumPy {numpy.__version__}, "
              f"SciPy {scipy.__version__}, Python {platform.python_version()}\n")
    out.write("date,trend\n")
    out.writelines(f"{date},{value!r}\n" for date, value in zip(dates, trend.tolist()))

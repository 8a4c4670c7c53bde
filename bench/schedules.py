r"""Schedules of noise: DP-SGD with one kind of step and with many, and discrete Gaussian noise."""

from __future__ import annotations

from typing import Final

from bench.problems import Problem

_TOLERANCE: Final = "1e-3"


def schedules() -> tuple[Problem, ...]:
    """DP-SGD with one kind of step and with many, and discrete Gaussian noise; each to 1e-3."""
    alike = {
        "D1": ("1", "1/100", 1000),
        "D2": ("1.1", "256/60000", 14_063),
        "D3": ("0.6", "1/1000", 10**5),
        "D4": ("2", "1/10", 100),
        "D5": ("0.5", "1/10000", 10**6),
    }
    sigmas = tuple(f"sigma={1500 - 70 * i}/1000,rate=0.01*1000" for i in range(10))
    hundred = tuple(f"sigma={1500 - 7 * i}/1000,rate=0.01*100" for i in range(100))
    rates = tuple(f"sigma=1,rate={200 + 36 * i}/100000*50" for i in range(50))
    counts = tuple(f"discrete_gaussian={1000 + 7 * i}" for i in range(1000))
    many = {
        "10 σ": ("10 σ from 1.5 to 0.87, q=0.01, 1000 steps each", "1e-5", sigmas),
        "100 σ": ("100 σ from 1.5 to 0.807, q=0.01, 100 steps each", "1e-5", hundred),
        "50 q": ("50 rates from 0.002 to 0.01964, σ=1, 50 steps each", "1e-5", rates),
        "1000 σ²": ("1000 variances of discrete Gaussian noise", "1e-10", counts),
    }
    return (
        *(
            Problem(
                name,
                f"DP-SGD, q={rate}, σ={sigma}, T={count}",
                (),
                "1e-5",
                _TOLERANCE,
                noise=(f"sigma={sigma},rate={rate}*{count}",),
            )
            for name, (sigma, rate, count) in alike.items()
        ),
        *(
            Problem(name, what, (), delta, _TOLERANCE, noise=noise)
            for name, (what, delta, noise) in many.items()
        ),
    )

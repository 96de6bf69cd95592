"""Metering: tokens in bounds, from the bytes that the serializers of the wires make.

    weight     bytes of text, messages and parts of something sent
    families   what is known of a provider's tokens and envelope, per estimator version
    surfaces   messages as a wire serializes them, measured
    bounds     a weight or a surface in tokens: at least, at most

Laws: a bound comes from bytes, never from characters; unknown means wide; a lower bound
counts nothing a provider may leave out, an upper bound everything it may add.
"""
